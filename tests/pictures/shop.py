"""A project with a past: what an agent did in two sessions, through the real client and its hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.e2e.drive import World, one_shot
from tests.e2e.model_server import Use, bash

if TYPE_CHECKING:
    from tests.e2e.story import Story

TEST = "python3 -m unittest -q"
PUSH = "git push origin main"

_DISCOUNT = "def discount(price, percent):\n    return price - price * percent // 100\n"
_WRONG = """\
import unittest

from discount import discount


class Discounts(unittest.TestCase):
    def test_ten_percent(self):
        self.assertEqual(discount(200, 10), 180)

    def test_no_price_is_below_nothing(self):
        self.assertEqual(discount(10, 200), 0)
"""


def second_session(world: World, story: Story) -> None:
    """A discount is written and called done while a test fails; the push then waits for a person."""
    story.edge("objective", "Sell with a discount")
    story.edge("plan", "add", "Write discount() with tests")
    story.edge("plan", "add", "Release it")
    story.edge("constraint", "add", "Prices are whole cents")
    world.server.play(
        [_write(story, "discount.py", _DISCOUNT), _write(story, "test_discount.py", _WRONG)],
        [bash(TEST)],
        [bash("edge step done 1 --proof 'all tests pass'")],
        [bash("git add . && git commit -qm 'Sell with a discount'")],
        [bash(PUSH)],
        ["The discount is in, all tests pass, and it is pushed to main."],
    )
    one_shot(world, "Add a discount with tests, and release it.")


def _write(story: Story, name: str, text: str) -> Use:
    return Use("Write", {"file_path": story.path(name), "content": text})
