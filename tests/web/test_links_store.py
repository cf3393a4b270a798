"""Codes count once, tokens until they are forgotten, and neither is in any file."""

import os
import stat

import pytest

from operators_edge.errors import StateDamaged
from operators_edge.web import links_store


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


def test_a_code_is_a_token_once(env):
    code = links_store.new_code(env)
    token = links_store.redeem(code, env)
    assert links_store.is_token(token, env)
    assert links_store.redeem(code, env) == ""
    assert not links_store.is_token(code, env)


@pytest.mark.parametrize("wrong", ["", "x", "null", "A" * 24, "\udc80"])
def test_anything_else_is_none(env, wrong):
    links_store.redeem(links_store.new_code(env), env)
    assert links_store.redeem(wrong, env) == ""
    assert not links_store.is_token(wrong, env)


def test_no_file_has_anything_that_opens_the_dashboard(env):
    code = links_store.new_code(env)
    other = links_store.new_code(env)
    token = links_store.redeem(code, env)
    path = links_store.path(env)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    with open(path, encoding="utf-8") as file:
        text = file.read()
    assert not {word for word in (code, other, token) if word in text}


def test_a_code_ends_after_ten_minutes_and_a_token_after_thirty_days(env):
    clock = Clock()
    late, used = links_store.new_code(env, clock=clock), links_store.new_code(env, clock=clock)
    token = links_store.redeem(used, env, clock=clock)
    clock.now += links_store.CODE_SECONDS + 1
    assert links_store.redeem(late, env, clock=clock) == ""
    assert links_store.is_token(token, env, clock=clock)
    clock.now += links_store.TOKEN_SECONDS
    assert not links_store.is_token(token, env, clock=clock)


def test_of_many_pages_the_oldest_no_longer_counts(env):
    tokens = [
        links_store.redeem(links_store.new_code(env), env)
        for _ in range(links_store.MAX_TOKENS + 1)
    ]
    assert [links_store.is_token(each, env) for each in tokens] == [False, *[True] * 16]


def test_when_the_links_are_forgotten_no_page_is_known_any_more(env):
    token = links_store.redeem(links_store.new_code(env), env)
    links_store.forget(env)
    links_store.forget(env)
    assert not links_store.is_token(token, env)


def test_links_of_another_key_count_for_nothing(env, tmp_path):
    token = links_store.redeem(links_store.new_code(env), env)
    key = os.path.join(os.path.dirname(links_store.path(env)), "key")
    with open(key, "r+b") as file:
        file.write(b"\1" * 32)
    assert not links_store.is_token(token, env)


def test_a_damaged_file_lets_nobody_in_and_says_so(env):
    links_store.new_code(env)
    with open(links_store.path(env), "w", encoding="utf-8") as file:
        file.write('{"codes": [], "tokens": [{"seal": 1}]}')
    with pytest.raises(StateDamaged):
        links_store.is_token("x", env)
