"""The process that stays: the same gate, warm, for everybody who would else start an interpreter."""
