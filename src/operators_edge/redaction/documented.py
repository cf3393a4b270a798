"""Values that have the look of a secret, and that documentation prints for anybody to use.

Owns which they are. A person's own exceptions are in the configuration (``redact.Allowed``).
"""

from __future__ import annotations

_JWT = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwi"

DOCUMENTED = frozenset(
    (
        # The user Aladdin of RFC 7617, and as older texts write him.
        "QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
        "QWxhZGRpbjpPcGVuU2VzYW1l",
        # The first tokens of jwt.io.
        f"{_JWT}aWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
        f"{_JWT}YWRtaW4iOnRydWUsImlhdCI6MTUxNjIzOTAyMn0.KMUFsIDTnFmyG3nMiGM6H9FNFUROf3wh7SmqJp-QV30",
        # The account of each Azurite, and of each emulator of Cosmos DB (learn.microsoft.com).
        "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
        "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==",
        # The first accounts of each Hardhat and Anvil (hardhat.org).
        "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
        "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
        "0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a",
        # The keys of reCAPTCHA for tests (developers.google.com).
        "6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI",
        "6LeIxAcTAAAAAGG-vFI1TnRWxMZNFuojJ4WifJWe",
        # The test keys in Stripe's examples (docs.stripe.com).
        "sk_test_4eC39HqLyjWDarjtT1zdp7dc",
        "sk_test_BQokikJOvBiI2HlWgH4olfQ2",
    )
)


def is_documented(hidden: str) -> bool:
    """Whether that is all of what would be hidden; a scheme may stand before it (``Basic …``)."""
    return hidden.rpartition(" ")[2] in DOCUMENTED


# end of module
