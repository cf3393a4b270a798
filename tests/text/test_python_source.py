"""Code of other people is read silently."""

from __future__ import annotations

import warnings

from operators_edge.text import python_source


def test_an_invalid_escape_is_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert python_source.parse('a = "\\$"').body
