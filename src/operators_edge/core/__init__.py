"""Pure decisions: no files, clock, processes or randomness; whatever they need is passed in."""
