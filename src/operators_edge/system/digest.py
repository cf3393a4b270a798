"""SHA-256, and signing with it, without ``hashlib``: that loads OpenSSL, a third of a start of Python."""

from __future__ import annotations

import _operator

# At import: a module that does not exist would be searched on the disk at each attempt.
try:
    from _sha2 import sha256  # type: ignore[import-not-found]  # Python 3.12 and later
except ImportError:
    try:
        from _sha256 import sha256  # type: ignore[import-not-found]  # Python 3.11
    except ImportError:
        from hashlib import sha256  # an interpreter built without both


def sha256_hex(data: bytes) -> str:
    """The digest in hexadecimal."""
    digest: str = sha256(data).hexdigest()
    return digest


_BLOCK = 64


def hmac_hex(key: bytes, data: bytes) -> str:
    """The HMAC-SHA-256 in hexadecimal, as RFC 2104 defines it."""
    key = (sha256(key).digest() if len(key) > _BLOCK else key).ljust(_BLOCK, b"\0")
    inner = sha256(bytes(each ^ 0x36 for each in key) + data).digest()
    return sha256_hex(bytes(each ^ 0x5C for each in key) + inner)


def is_same(one: str, other: str) -> bool:
    """Whether both are the same, in a time that does not tell where they differ; of ASCII alone."""
    return _operator._compare_digest(one, other)  # noqa: SLF001 - public in ``hmac``, see above


# end of module
