"""Where RSpec finds what tests require by name: the folder ``lib``, if calls from there reach others.

Owns what shows that they do not: a library answers all requests of the suite, or the keys are for trials.
What tests load by a path is read in any case. Pure but for ``Facts``.
"""

from __future__ import annotations

import os.path

from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.gate.disk.search import Search

_ANSWERED = pattern(
    r"(?m)^\s*require\s*\(?['\"](?:webmock(?:/\w+)?|vcr|fakeweb|stripe_mock)['\"]"
    r"|\bWebMock\.(?:enable|disable_net_connect)!|\bhook_into\b|\bExcon\.defaults\[:mock\]\s*=\s*true"
)
_REPLACED = pattern(
    r"\b(?:allow|expect|allow_any_instance_of|expect_any_instance_of)\(\s*:{0,2}[A-Z][^\n]*\.(?:to|to_not)\s*\(?\s*receive"
    r"|\b(?:class_double|instance_double|stub_const|stub_request|use_cassette)\(|\.(?:stubs|any_instance)\b"
)
"""A test that has something else in the place of a client."""
_OPENED = pattern(
    r"\bWebMock\.(?:allow_net_connect|disable)!|\bVCR\.turn_off!|\ballow_http_connections_when_no_cassette\s*=\s*true"
)
_TRIAL = pattern(r"\b[sr]k_test_")
_LIVE = pattern(r"\b[sr]k_live_")
_REQUIRED = pattern(r"(?m)(?:^|\s)(?:-r|--require)[ =]?(\w+)")
_SETTINGS = (".env", ".env.test", ".env.local", ".env.test.local")


def load_path(search: Search, test: str) -> list[str]:
    """The folders in which a suite looks for what a file of tests requires."""
    folder = search.folder or search.context.root
    told = search.follower.read(os.path.join(folder, ".rspec"), search.context) or ""
    helpers = [
        f"spec/{name}.rb" for name in {"spec_helper", "rails_helper", *_REQUIRED.findall(told)}
    ]
    files = [os.path.join(folder, name) for name in (*helpers, *_SETTINGS)]
    files += search.files_below(folder, "spec/support/*.rb")
    texts = [search.follower.read(one, search.context) or "" for one in files]
    code = "\n".join((*texts, *(value for _, value in search.variables())))
    is_trial = _TRIAL.search(code) and not _LIVE.search(code)
    is_quiet = is_answered(code) or is_trial or _REPLACED.search(test)
    return [] if is_quiet else ["lib"]


def is_answered(code: str) -> bool:
    """Whether a library answers all requests of a suite, by what its helpers say."""
    return _ANSWERED.search(code) is not None and not _OPENED.search(code)


# end of module
