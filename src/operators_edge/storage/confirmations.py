"""What a person confirmed for a project, once: a signed record in the person's own folder.

Outside the project, and signed like a grant (JU-4). Does not own what is confirmed, or who counts as a person
(``cli.person``).
"""

from __future__ import annotations

import os

from operators_edge import jsons
from operators_edge.errors import StateDamaged
from operators_edge.storage.files import failure, json_object, read_bytes, write_durable
from operators_edge.storage.keys import is_genuine, make_user_dir, signed
from operators_edge.system.user_dirs import project_id, user_dir
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class Confirmation(NamedTuple):
    """One kind of confirmation: its file's name, and the kind that its records say."""

    name: str
    kind: str

    def path(self, root: str, env: Mapping[str, str]) -> str:
        return os.path.join(user_dir(env), "projects", project_id(root), self.name)

    def write(
        self, root: str, fields: Mapping[str, Any], *, by: str, at: str, env: Mapping[str, str]
    ) -> None:
        """Store exactly these fields, instead of what was confirmed before."""
        make_user_dir(env, "projects", project_id(root))
        record = {"kind": self.kind, **fields, "by": by, "at": at}
        data = jsons.dumps(signed(root, record, env=env)).encode()
        write_durable(self.path(root, env), data, mode=0o600)

    def read(self, root: str, env: Mapping[str, str]) -> dict[str, Any] | None:
        """What a person confirmed for this project; None if there is no record, or no genuine one.

        Raises StateError if the record or the key cannot be read.
        """
        path = self.path(root, env)
        data = read_bytes(path)
        if data is None:
            return None
        hint = f"Remove {path}, then: edge config trust"
        record = json_object(path, data, hint=hint)
        if record.get("kind") != self.kind:
            raise StateDamaged(path, "it is not a record of confirmations", hint=hint)
        return record if is_genuine(root, record, env=env) else None

    def withdraw(self, root: str, env: Mapping[str, str]) -> bool:
        """Delete the record; False if there was none."""
        path = self.path(root, env)
        try:
            os.unlink(path)
        except FileNotFoundError:
            return False
        except OSError as error:
            raise failure("remove", path, error) from error
        return True


# end of module
