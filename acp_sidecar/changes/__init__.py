"""Diffs to file changes to hunks to text edits; anchoring; review state. Pure.

Belongs here: everything that computes text. Never here: reading files, asking anybody, LSP
types, asyncio. May import unidiff. Offsets are code points of a text, line numbers of hunks are
1-based as in patches. No input of an agent raises: what is wrong is a `Problem` in the answer.

From the wire to the screen and back:

    from_diff.change_set(diffs)          the diffs of a tool call -> ChangeSet of FileChange of Hunk
    snippets.settle(change, text)        v1 pieces -> hunks with line numbers, once, on arrival
    compare.net_change(path, old, new)   baseline and present text -> FileChange, for net reviews
    views.TextView(text)                 a present text, indexed once, for everything below
    anchor.anchor_hunks(hunks, view)     -> a Place (state, offsets, reason) for each hunk; the
                                         looking is in search, what is found in places
    positions.follow(place, edits), then anchor.still_there(hunk, view, place)
                                         a Place followed through the user's edits, checked again
    edits.edits_to(Side.NEW, ...)        apply chosen hunks; Side.OLD undoes them; merges where
                                         the user has edited; never twice
    edits.apply_edits(text, edits)       the text afterwards
    edits.ranges(edits, text, encoding)  for LSP: lines and columns in the negotiated encoding
    edits.text_at(side, ...)             before and after, for a diff view of two documents
    words.changed_words(hunk, side)      what to mark inside changed lines
    hunks.combined_state(states)         proposed, applied, mixed, conflicting of a whole
    file_state.of_file(change, present)  the same for changes without text, by what exists
    render.patch_text(change, chosen)    as git_patch text; render.hunk_names(hunks): stable names
    texts.decode(bytes), FileText.encode the way from and to bytes, without loss
"""
