"""Programs that maintain the project; nothing of it is installed."""
