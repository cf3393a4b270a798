"""How time grows with the size of what is read, measured against itself: how fast a machine is differs."""

from __future__ import annotations

import gc
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_TRIES = 3
"""What else the machine does may fall on one measurement, and hardly on three."""


def is_linear(act: Callable[[int], object], size: int, *, least: float = 0.05) -> bool:
    """Whether the size takes about four times as long as a quarter of it, or less than ``least`` seconds.

    What grows like the square takes sixteen times as long.
    """
    for number in range(_TRIES):
        long = size - number * size // 50  # what was read before may be remembered
        took = _seconds(act, long)
        if took < least or took < 8 * _seconds(act, long // 4):
            return True
    return False


def _seconds(act: Callable[[int], object], size: int) -> float:
    gc.disable()  # to walk what other tests have left is not part of it
    try:
        start = time.process_time()
        act(size)
        return time.process_time() - start
    finally:
        gc.enable()
