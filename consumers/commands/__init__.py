"""The commands of `catwalk`, one module each; `consumers.command` names them and imports one when it runs."""
