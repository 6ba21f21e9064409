"""The state of the screen, without widgets or colours: the table, the story, the unfinished answer."""
