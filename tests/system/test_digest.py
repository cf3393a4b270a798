"""What is computed without the standard library's modules is what they compute."""

import hashlib
import hmac

from hypothesis import given, strategies as st

from operators_edge.system import digest


@given(key=st.binary(max_size=200), data=st.binary(max_size=300))
def test_a_signature_is_the_one_that_the_standard_library_makes(key, data):
    assert digest.hmac_hex(key, data) == hmac.new(key, data, "sha256").hexdigest()
    assert digest.sha256_hex(data) == hashlib.sha256(data).hexdigest()


def test_only_the_same_text_is_the_same():
    assert digest.is_same("0a" * 32, "0a" * 32)
    assert not digest.is_same("0a" * 32, "0a" * 31 + "0b")
    assert not digest.is_same("0a", "0a0a")
