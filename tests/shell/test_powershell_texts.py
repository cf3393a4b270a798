"""Texts of PowerShell as sh writes them."""

import pytest
from tests.gate.disk.test_follow import judged

from operators_edge.shell.powershell_texts import in_sh

WRITTEN = [
    ("echo 'it''s' \"a\"", "echo 'it'\\''s' \"a\""),
    ('echo "a`"b" `$x', 'echo "a\\"b" \\$x'),
    ('echo "C:\\dir\\"; b', 'echo "C:\\\\dir\\\\"; b'),
    ('echo "say ""x"" `n"', 'echo "say \\"x\\" \n"'),
    ("$x = @'\nit's\n'@\nb", "$x = 'it'\\''s'\n\n\nb"),
    ('$x = @"\n"a\n"@', '$x = "\\"a"\n\n'),
    ("<# it's\n#> b", "\n b"),
    ("Get-ChildItem C:\\Users", "Get-ChildItem C:\\Users"),
]


@pytest.mark.parametrize(("text", "plain"), WRITTEN)
def test_strings_escapes_and_comments_are_written_as_sh_does(text, plain):
    assert in_sh(text) == plain


HIDING = ["$x = @'\nit's\n'@", '$x = @"\n"a\n"@', '$x = "a`"b"', "Write-Host it`'s", "<# it's #>"]


@pytest.mark.parametrize("before", HIDING)
def test_what_follows_in_a_script_is_judged(before):
    files = {"x.ps1": f"{before}\nkubectl delete ns shop\n"}
    assert judged("pwsh x.ps1", files, committed=tuple(files)).rule == "deploy-kubernetes"


@pytest.mark.parametrize("text", ['Write-Host "it\'\'s `"so`""', "Write-Host 'a' # it's"])
def test_what_only_prints_is_silent(text):
    files = {"x.ps1": f"{text}\n"}
    assert judged("pwsh x.ps1", files, committed=tuple(files)).effect == "allow"
