"""The client's side of ACP: one agent's life, from start and negotiation to sessions and turns.

Belongs here: the order in which the protocol is spoken, and nothing of how frames travel (`agent`),
how JSON reads (`wire`), what is so (`session`) or what is shown (`features`). Pure: connections and
time come in from outside, answers by callback, on one thread and in order.
"""
