"""The registered games under the interfaces of other libraries. Generic: a new game needs no line here."""
