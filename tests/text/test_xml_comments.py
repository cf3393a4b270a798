"""Comments of XML, and what only looks like one."""

from __future__ import annotations

import pytest

from operators_edge.text.xml_comments import without_xml_comments


def test_a_comment_is_blank_and_what_follows_keeps_its_place():
    text = "<a>\n<!-- x\ny --><b/>\n</a>"
    assert without_xml_comments(text) == "<a>\n      \n     <b/>\n</a>"


@pytest.mark.parametrize(
    "text",
    [
        "<a><![CDATA[ <!-- ]]><b/><!-- --></a>",
        "<a><?x <!-- ?><b/><!-- --></a>",
        '<!DOCTYPE a [<!ENTITY x "<!--">]><a><b/><!-- --></a>',
        '<!DOCTYPE a SYSTEM "<!--"><a><b/><!-- --></a>',
    ],
)
def test_an_element_behind_what_only_looks_like_a_comment_stays(text):
    assert "<b/>" in without_xml_comments(text)
