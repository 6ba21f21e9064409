"""What the screen knows, without a widget or a colour: the table, the story, the answer being made."""
