"""One match: its script, its entries, its state, and the sources that chance and answers come from."""
