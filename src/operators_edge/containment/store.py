"""Whether a project is contained: its policy, in the person's own folder."""

from __future__ import annotations

import json
import os

from operators_edge.containment.policy import of_data
from operators_edge.errors import StateDamaged
from operators_edge.storage import files
from operators_edge.system.user_dirs import project_id, user_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from operators_edge.containment.policy import Policy


def path_of(root: str, env: Mapping[str, str] = os.environ) -> str:
    return os.path.join(user_dir(env), "projects", project_id(root), "containment.json")


def encoded(policy: Policy) -> bytes:
    return json.dumps(policy.as_data(), indent=1).encode() + b"\n"


def load(root: str, env: Mapping[str, str] = os.environ) -> Policy | None:
    """The project's policy; None if it is not contained. StateDamaged: the file cannot be read."""
    path = path_of(root, env)
    data = files.read_bytes(path)
    if data is None:
        return None
    try:
        return of_data(json.loads(data))
    except ValueError as error:
        raise StateDamaged(
            path, f"it is no policy ({error})", hint="edge init --contain"
        ) from error


# end of module
