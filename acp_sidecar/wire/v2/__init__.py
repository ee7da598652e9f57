"""ACP v2, tracking the newest schema and accepting what older drafts send."""
