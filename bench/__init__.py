"""Speed bars, each a ratio within one run."""
