"""Thinking: bots that take their time do so in a process of their own."""
