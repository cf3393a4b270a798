"""A reader of the YAML that settings are written in agrees with the whole parser, or says nothing."""

from __future__ import annotations

import pytest
from ruamel.yaml import YAML

from operators_edge.text import yaml_values

TEXTS = {
    "a compose file": """
# services
services:
  web: &web
    image: "nginx:1"   # pinned
    ports: ["80:80", '443:443']
    environment:
      - A=1
      - B=x y
    command: >-
      sh -c
      "echo hello"
  job:
    <<: *web
    build: { context: ./jobs, dockerfile: Dockerfile.dev }
    environment:
      DAYS: "14"
      URL: http://minio:9000/a#b
      EMPTY:
      ON: true
    volumes:
    - ./a:/a:ro
    - type: bind
      source: ./b
      target: /b
""",
    "a workflow": """---
name: ci
"on": [push]
jobs:
  image:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - name: unit tests
        run: make test
      - name: long
        run: |
          make a
            indented: yes

          make b
        with:
          tags: |
            a:b
            c
      -
        uses: x/y@v1
        with: {push: true, context: .,
          file: Dockerfile}
""",
    "texts of several lines": "a: one\n  two\n  three\nb: \"x\n  y\"\nc: 'it''s'\nd: \"a\\nb\"\n",
    "nested lists": "- - a\n  - b\n- c: 1\n  d: 2.5\n-\n- [x, [y, z], {k: v}]\n",
    "numbers and nothing": "a: 1\nb: -2\nc: 0.5\nd: ~\ne: null\nf: 1.2.3\ng: 012x\n",
    "folded": "a: >\n  one\n  two\n\n  three\nb: |+\n  x\n\nc: |-\n  y\n",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_text_has_the_values_that_the_whole_parser_finds(text):
    assert yaml_values.read(text) == YAML(typ="safe", pure=True).load(text)


UNKNOWN = [
    "a: !secret x",
    "? a\n: b",
    "a: *missing",
    "a: 1\na: 2",
    "a: [1, 2",
    "a:\n   b: 1\n  c: 2",
    "a: 'open",
    'a: "\\u0041"',
    "a: b: c\n  d: e",
]


@pytest.mark.parametrize("text", UNKNOWN)
def test_what_is_not_understood_is_not_known(text):
    assert yaml_values.read(text) is None


def test_a_key_has_the_number_of_its_line():
    found = yaml_values.read("a:\n\n  b: 1\n  # no\n  c: 2\n")
    assert found["a"].lines == {"b": 3, "c": 5}


def test_words_that_old_parsers_take_for_truth_values_are_such():
    assert yaml_values.read("a: yes\nb: off\n") == {"a": True, "b": False}
