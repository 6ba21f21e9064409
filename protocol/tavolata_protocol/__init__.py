"""The protocol between peers: messages, sessions and one agreed log. Knows no games."""
