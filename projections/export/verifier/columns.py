"""The columns of every table: its name, then its columns, integers with a star. The writer reads them here too."""

from __future__ import annotations

_TABLES = """
rounds: stream table gaming_day *round *first *last began_at ended_at pit book house method deck dealer *hands
    community dealer_hand voided void_clause *staked_cents *back_cents *owed_cents *decided *undecided video;
hands: stream table gaming_day *round *seat player cards holds choice void *staked_cents *back_cents *owed_cents
    *difference_cents;
wagers: stream table gaming_day *round *seat player wager *staked_cents *late_cents *coupon_cents *collected_cents
    *paid_cents *returned_cents *back_cents *owed_cents *difference_cents clause basis undecided;
paid: stream *round *seat wager *staked_cents *collected_cents *paid_cents *returned_cents;
findings: stream table gaming_day finding code severity state says clauses *round *to_round *seat wager dealer deck
    *short_cards at *trigger *known_by *expected_cents *observed_cents evidence basis clause_texts;
deck_ledger: stream table gaming_day deck *decks *size received_at *first_round *last_round *rounds *counts_done
    *rounds_since_count *count_every count_due *last_count last_counted_at miscounted *shuffles *seen never_seen
    duplicates gone_at fate;
table_money: stream table gaming_day *opener_cents *fills_cents *credits_cents *drop_cents *closer_cents
    *bought_in_cents *win_cents;
coverage: stream table gaming_day what *wagers;
counts: kind stream type *records;
openers: stream table gaming_day opened_at closed_on *closer_cents *opener_cents *difference_cents duty;
statistics: gaming_day by of period *table_days *counted *drop_cents *win_cents *hold_bp base *base_table_days
    *base_hold_bp *low_hold_bp *high_hold_bp inside note;
card_record: stream table gaming_day *sequence at what *round deck *cards *rounds_since_count method device by findings;
errors: stream table gaming_day *round ended_at dealer *seat player wager *staked_cents *owed_cents *back_cents
    *to_player_cents *by_player_cents clause basis findings;
players: player name;
faults: kind stream *sequence fault
"""
COLUMNS = {name.strip(): tuple(said.split()) for name, said in (table.split(":") for table in _TABLES.split(";"))}
