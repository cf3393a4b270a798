"""Programs that code of Node fetches and starts."""

from __future__ import annotations

import pytest

from operators_edge.shell.code.fetched_programs import fetched

_URL = "https://get.example.com/tool"
_PIPE = f"https.get('{_URL}', (res) => res.pipe(fs.createWriteStream(file)).on('finish', run));\n"
STARTS = [
    _PIPE + "function run() { execFileSync(file, ['install']); }",
    _PIPE + "fs.chmodSync(file, 0o755);\nspawn(file);",
    (
        f"const r = await fetch(`{_URL}-${{os.arch()}}`);\n"
        "fs.writeFileSync(bin, Buffer.from(await r.arrayBuffer()), { mode: 0o755 });\nspawnSync(bin, []);"
    ),
    f"const {{ data }} = await axios.get('{_URL}');\nawait writeFile(out, data);\nawait execa('sh', [out]);",
    _PIPE + "execSync(`${file} --version`);",
    _PIPE + "spawn(process.execPath, [file]);",
]
STARTS_NOTHING = [
    _PIPE,
    _PIPE + "spawn(other);",
    _PIPE.replace(_URL, "http://localhost:8000/tool") + "spawn(file);",
    "fs.writeFileSync(file, template);\nspawn(file);",
    f"const r = await fetch('{_URL}');\nfs.writeFileSync(file, template());\nspawn(file);",
    _PIPE + "const sum = createHash('sha256').update(x).digest('hex');\n"
    "if (sum !== WANTED) throw new Error();\nspawn(file);",
    "// " + _PIPE + "spawn(file);",
]


@pytest.mark.parametrize("code", STARTS)
def test_a_program_that_is_fetched_and_started_is_named_by_its_address(code: str) -> None:
    assert fetched(code).startswith(_URL)


@pytest.mark.parametrize("code", STARTS_NOTHING)
def test_what_is_not_started_not_fetched_or_compared_first_is_none(code: str) -> None:
    assert fetched(code) == ""


# end of module
