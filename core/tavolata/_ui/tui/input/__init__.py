"""What keys and clicks do: their names, the trigger that guards them, and what they mean at a table. Pure."""
