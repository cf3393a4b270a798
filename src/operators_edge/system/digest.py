"""SHA-256 without ``hashlib``, which loads OpenSSL: that alone costs as much as a bare interpreter.

Owns finding the interpreter's own implementation. Does not own what is hashed.
"""

# Once: a module that is not there is searched for on the disk at each attempt.
try:
    from _sha2 import sha256  # type: ignore[import-not-found]  # Python 3.12 on
except ImportError:
    try:
        from _sha256 import sha256  # type: ignore[import-not-found]  # before it
    except ImportError:
        from hashlib import sha256  # an interpreter built without either


def sha256_hex(data: bytes) -> str:
    """The digest in hexadecimal."""
    digest: str = sha256(data).hexdigest()
    return digest
