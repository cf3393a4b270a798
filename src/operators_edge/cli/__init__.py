"""The ``edge`` command: words in, one transaction or one question, text or JSON out."""
