"""Golden messages: what agents say on the wire, and what it means, in tables."""
