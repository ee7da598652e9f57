"""A session as a document: blocks with stable ids, rendered to Markdown that is safe to show."""
