"""One thin adapter per agent host: its event becomes a Call, a Verdict becomes its answer."""
