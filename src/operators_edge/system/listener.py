"""What listens at a port of this machine: a server of ours, which proves it, or something else."""

from __future__ import annotations

import hmac
import http.client

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    State = Literal["ours", "nobody", "hung", "another"]


def state_of(port: int, path: str, proof: bytes, *, seconds: float) -> State:
    """Ours if it answers ``path`` with the proof, within so many seconds; ``hung`` if it does not answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)
    try:
        connection.request("GET", path)
        answer = connection.getresponse().read(200)
    except TimeoutError:
        return "hung"
    except ConnectionRefusedError:
        return "nobody"
    except (OSError, http.client.HTTPException):
        return "another"
    finally:
        connection.close()
    return "ours" if hmac.compare_digest(answer.strip(), proof) else "another"


# end of module
