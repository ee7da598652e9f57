"""ACP v1: upgraded to v2 semantics on the way in, downgraded on the way out."""
