"""Pure drawing functions, which turn zones and questions into runs of text without widgets or clocks."""
