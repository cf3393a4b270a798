"""SHA-256 without ``hashlib``, which loads OpenSSL and so costs as much as starting the interpreter."""

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


# end of module
