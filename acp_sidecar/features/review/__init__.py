"""Review: every diff of an agent becomes something that can be previewed, kept and undone.

Belongs here: what is decided about change sets (choices, when an edit is ours to make, whether it
happened). Computing texts is `changes`' business. `review.Review` is the door.
"""
