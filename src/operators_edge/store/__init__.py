"""The only writer of project files and of the per-user ledger."""
