"""Every command that shows something of the record, as the tests of who may run it run it."""

# The command, as it can be run here | rights it takes beside its own | the status it ends with for who may
TRIED = """
accounts add eve --role operator                   |                              | 0
accounts list                                      |                              | 0
accounts password gone                             |                              | 0
accounts remove gone                               |                              | 0
accounts unlock olga                               |                              | 0
ask blast --deck T1-deck-1                         |                              | 0
ask cards                                          |                              | 0
ask dealer dealer-1                                |                              | 0
ask decks T1                                       |                              | 0
ask errors                                         |                              | 0
ask findings                                       |                              | 0
ask findings --player WHO                          | see-players                  | 0
ask floor                                          |                              | 0
ask hold                                           |                              | 0
ask meters                                         |                              | 0
ask openers                                        |                              | 0
ask player WHO                                     |                              | 0
ask round T1/2026-11-18:2                          |                              | 0
ask round T1 --player WHO                          | see-players                  | 0
ask round T1 --card Ah                             | see-hidden-cards             | 0
ask round T1 --player WHO --card Ah                | see-players see-hidden-cards | 0
ask staff                                          |                              | 0
ask staff --person dealer-1                        | see-people                   | 0
ask statistics                                     |                              | 0
ask troubles                                       |                              | 0
ask undecided                                      |                              | 0
ask undecided --wagers -t T1                       | see-hands                    | 0
backup --out OUT/backup.tar                        |                              | 0
dead-letters list                                  |                              | 0
dead-letters list --json                           | see-hidden-cards see-players | 0
dead-letters retry 1 --vouch                       |                              | 1
dead-letters show 1                                | see-hidden-cards see-players | 0
dispute T1 --round 2 --out OUT/pack.tar            |                              | 0
export --list                                      |                              | 0
keys list                                          |                              | 0
keys make T9 T9-1                                  |                              | 0
keys revoke T7-1 --reason lost                     |                              | 0
keys rotate T8 T8-2                                |                              | 0
log copy --from-data PIT --to-data OUT/copy        |                              | 0
reconstruct T1 --round 2                           |                              | 0
reconstruct T1 --player WHO                        | see-players                  | 0
replay --without wager-overpaid -t T2              |                              | 1
sources list                                       |                              | 0
sources register r9 --table T9 --may play --user 0 |                              | 0
sources revoke r8 --reason lost                    |                              | 0
sql -c SELECT<1                                    |                              | 0
vault copy-keys OUT/identity-keys.sqlite           |                              | 0
vault put OUT/people.jsonl                         |                              | 0
vault show p-1 --purpose why                       |                              | 0
vault list                                         |                              | 0
vault erase p-2 --purpose why                      |                              | 0
verify-log --table T2 --cores 1                    |                              | 1
watch --once                                       |                              | 0
incidents                                          |                              | 1
"""
