"""Review: every diff of an agent becomes something that can be previewed, kept and undone.

Belongs here: what is decided about change sets (choices, when an edit is ours to make, whether it
happened). Computing texts is `changes`' business. `review.Review` is the door. Behind it:

    items        what is under review, and what the user chose of it
    build        a call's diffs -> a change set; choices stay with the hunks that stay
    tracking     where hunks are now; `known`: without searching, where the whole text is known
    baseline     what files were before the agent; `net`: what became of them
    selection    what a command is about; `choices`: what that means; `deciding`: who writes
    open_items   what still waits for the user's choice
    aftermath    undoing, after the write, what was refused before it
    edit         targets -> one edit over files; `overlay`: files as they would be
    editing      making it; `applying`: one after the other, believed only when the text shows it
    views        JSON and texts to read; `messages`: their shapes; `push`: deltas; `lenses`, `notes`
"""
