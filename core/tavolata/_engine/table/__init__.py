"""The table as a replicated state machine: lobby, seats, permissions, chat, keys. Pure."""
