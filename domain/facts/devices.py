"""Devices at the table: installed, configured, failed, emptied, restored, covered and removed."""

from typing import Literal

from domain.facts.envelope import Cards, Fact, Name
from domain.facts.words import Device


class DeviceInstalled(Fact, frozen=True, tag="device-installed.1"):
    """A device came into service at the table."""

    device: Name
    kind: Device
    model: str = ""
    mode: str = ""
    counts_decks: bool = False
    reshuffles: bool = False


class DeviceConfigured(Fact, frozen=True, tag="device-configured.1"):
    """A device was put into a mode."""

    device: Name
    mode: str = ""


class DeviceFailed(Fact, frozen=True, tag="device-failed.1"):
    """A device jammed, stopped or did not finish."""

    device: Name
    kind: Device
    fault: Literal["jammed", "stopped", "incomplete", "offline", "other"] = "other"
    deck: str = ""


class DeviceEmptied(Fact, frozen=True, tag="device-emptied.1"):
    """The cards in a device were taken out."""

    device: Name
    deck: str = ""
    cards: Cards | None = None


class DeviceRestored(Fact, frozen=True, tag="device-restored.1"):
    """A failed device was repaired."""

    device: Name


class DeviceCovered(Fact, frozen=True, tag="device-covered.1"):
    """A device out of use was covered."""

    device: Name


class DeviceSigned(Fact, frozen=True, tag="device-signed.1"):
    """A device was marked with a sign as out of order."""

    device: Name


class DeviceRemoved(Fact, frozen=True, tag="device-removed.1"):
    """A device was taken from the table."""

    device: Name
