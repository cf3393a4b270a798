"""How many examples a property is tried with: as often as it says, in proportion to the profile.

``usual`` is what ``make test`` runs, the same examples each time. ``quick`` tries a tenth of them, and
``deep`` (``make fuzz``) ten times as many, new ones in every run.
"""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, settings

USUAL_EXAMPLES = 100

# A busy machine makes both the time of one example and that of drawing one a matter of luck.
_ANY_SPEED: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}

settings.register_profile(
    "usual", max_examples=USUAL_EXAMPLES, derandomize=True, database=None, **_ANY_SPEED
)
settings.register_profile(
    "quick", max_examples=USUAL_EXAMPLES // 10, derandomize=True, database=None, **_ANY_SPEED
)
settings.register_profile("deep", max_examples=USUAL_EXAMPLES * 10, **_ANY_SPEED)
settings.load_profile("usual")  # another is named by pytest's --hypothesis-profile


def examples(count: int, *allowed: HealthCheck) -> settings:
    """So many examples in the usual profile; ``allowed`` are the checks of health that may fail."""
    profile = settings()
    suppressed = [*profile.suppress_health_check, *allowed]
    most = max(1, count * profile.max_examples // USUAL_EXAMPLES)
    return settings(max_examples=most, suppress_health_check=suppressed)
