"""Drawing: from zones and questions to runs of text. Pure: no widget, no clock."""
