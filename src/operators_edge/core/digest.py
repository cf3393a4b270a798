"""SHA-256 without ``hashlib``, which loads OpenSSL: that alone costs as much as a bare interpreter.

Owns finding the interpreter's own implementation. Does not own what is hashed.
"""


def sha256_hex(data: bytes) -> str:
    """The digest in hexadecimal."""
    try:
        from _sha2 import sha256  # type: ignore[import-not-found]  # noqa: PLC0415 - Python 3.12 on
    except ImportError:
        try:
            from _sha256 import sha256  # type: ignore[import-not-found]  # noqa: PLC0415 - before it
        except ImportError:
            from hashlib import sha256  # noqa: PLC0415 - an interpreter built without either
    digest: str = sha256(data).hexdigest()
    return digest
