"""Programs that misbehave, one fault each, and what becomes of them."""
