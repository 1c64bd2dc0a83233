"""Attacks on the container: what no file of an export may be, and how none may lie there."""

from tests.export.attacks import SECONDS, attack, honest, with_member
from tests.export.builder import member


@attack("'note.txt' is not a file of an export")
def an_extra_file() -> bytes:
    return with_member(member(f"{honest().name}/note.txt", b"x", SECONDS), before="pieces-sha256.txt")


@attack("data/desk/access/2026-11-18.jsonl: the signed manifest-sha256.txt does not name it")
def an_extra_file_where_files_may_be() -> bytes:
    bundle = honest().copy()
    bundle.files["data/desk/access/2026-11-18.jsonl"] = b"{}\n"
    return bundle.tar()


@attack("verify.py is a symbolic link")
def a_symbolic_link() -> bytes:
    bundle = honest().copy()
    del bundle.files["verify.py"]
    link = member(f"{bundle.name}/verify.py", b"", SECONDS, kind=b"2", link=b"/usr/bin/true")
    return bundle.tar()[:-1024] + link + bytes(1024)


@attack("is a hard link")
def a_hard_link() -> bytes:
    link = member(f"{honest().name}/wagers.csv", b"", SECONDS, kind=b"1", link=b"data/tables/wagers.csv")
    return with_member(link)


@attack(r"is an extended header \(pax\)")
def a_pax_header() -> bytes:
    return with_member(
        member(f"{honest().name}/verify.py", b"20 path=verify.sh\n\n\n", SECONDS, kind=b"x"), before="verify.py"
    )


@attack("is a long name of GNU tar")
def a_long_name_of_gnu_tar() -> bytes:
    return with_member(member("././@LongLink", b"evil\0", SECONDS, kind=b"L"), before="verify.py")


@attack("leads out of the export")
def a_path_that_leads_out() -> bytes:
    return with_member(member(f"{honest().name}/../../etc/passwd", b"root::0:0", SECONDS))


@attack("leads out of the export")
def an_absolute_path() -> bytes:
    return with_member(member("/etc/passwd", b"root::0:0", SECONDS))


@attack("is not below export-")
def a_second_folder() -> bytes:
    return with_member(member("export-0123456789abcdef/verify.py", b"x", SECONDS))


@attack("the header gives .* 8589934591 bytes, but the file ends before that")
def an_oversized_member() -> bytes:
    bundle = honest().copy()
    del bundle.files["verify.py"]
    return bundle.tar()[:-1024] + member(f"{bundle.name}/verify.py", b"", SECONDS, size=8**11 - 1) + bytes(1024)


@attack("the size and time of .* are not eleven octal digits")
def a_size_in_the_base_of_gnu_tar() -> bytes:
    head = bytearray(member(f"{honest().name}/verify.py", b"x", SECONDS))
    head[124:136] = b"\x80" + (1).to_bytes(11, "big")
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head[:512])
    return with_member(bytes(head))


@attack("verify.py is in it twice")
def a_file_twice() -> bytes:
    return with_member(member(f"{honest().name}/verify.py", b"another\n", SECONDS))


@attack("comes after a name that sorts behind it")
def two_files_in_each_others_place() -> bytes:
    whole, name = honest().tar(), honest().name
    one, other, end = (
        whole.index(f"{name}/{path}\0".encode()) for path in ("bag-info.txt", "bagit.txt", "data/facts.parquet")
    )
    return whole[:one] + whole[other:end] + whole[one:other] + whole[end:]


@attack("exactly two blocks of zeros")
def data_behind_the_end() -> bytes:
    return honest().tar() + b"hidden".ljust(512, b"\0")


@attack("exactly two blocks of zeros")
def another_archive_behind_the_end() -> bytes:
    return honest().tar() + honest().tar()


@attack("is not all zeros")
def data_in_the_filling() -> bytes:
    whole = honest().tar()
    return whole[: -1024 - 8] + b"hidden!!" + whole[-1024:]


@attack("the header of bagit.txt differs from the required one")
def an_owner_in_a_header() -> bytes:
    whole, name = honest().tar(), honest().name
    at = whole.index(f"{name}/bagit.txt\0".encode())
    head = bytearray(whole[at : at + 512])
    head[265:269] = b"root"
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head)
    return whole[:at] + bytes(head) + whole[at + 512 :]


@attack("verify.py has the time 2026-11-20T00:00:00Z, but the checkpoint")
def another_time_in_a_header() -> bytes:
    bundle = honest().copy()
    stored = bundle.files.pop("verify.py")
    return bundle.tar()[:-1024] + member(f"{bundle.name}/verify.py", stored, 1_795_132_800) + bytes(1024)


@attack("but the file ends before|it does not end with|cut off|the file ends before")
def the_end_of_the_file_cut_off() -> bytes:
    return honest().tar()[:-5000]


@attack("it does not end with exactly two blocks of zeros")
def the_blocks_at_the_end_cut_off() -> bytes:
    return honest().tar()[:-1]
