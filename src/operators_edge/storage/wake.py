"""Starting the process that notifies a person about a question, where they want that.

Owns when it is started, and its environment. Costs a look at one path unless a person has set it up; a
failure is on stderr and changes nothing. Does not own what that process does (``sessions.notify_service``).
"""

from __future__ import annotations

import os
import sys

from operators_edge.system.user_dirs import background_env, config_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = "notify.toml"
MODULE = "operators_edge.sessions.notify_service"
_MORE = (
    *("DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"),  # of a desktop
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"),
    *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"),
)
"""Variables by which a message reaches the desktop or a service."""


def settings_path(env: Mapping[str, str] = os.environ) -> str:
    """The person's file for notifications, beside their configuration; "" if no home folder is known.

    A file of its own: its addresses hold passwords, and no project has a say in it.
    """
    above = config_file(env)
    return os.path.join(os.path.dirname(above), FILE) if above else ""


def now(root: str, env: Mapping[str, str] = os.environ) -> None:
    """Start it, detached, if the person has set it up; never wait for it."""
    path = settings_path(env)
    if not path or not os.path.exists(path):
        return
    import subprocess  # noqa: PLC0415 - few people reach this, and only with a question

    null = subprocess.DEVNULL
    try:
        subprocess.Popen(
            [sys.executable, "-I", "-m", MODULE, root],
            env=background_env(env, _MORE),
            cwd=os.sep,
            stdin=null,
            stdout=null,
            stderr=null,
            start_new_session=True,
        )
    except OSError as error:
        from operators_edge.text import outgoing  # noqa: PLC0415 - only after a failure

        outgoing.to_stderr(f"no notification: {error.strerror}")


# end of module
