"""The Homebrew formula, from the built sources and the locked dependencies.

The archives of dependencies come from the index that pip uses; ``requirements.lock`` has their digests.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "requirements.lock"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


class Resource(NamedTuple):
    """One archive of sources: the name and version of its package, its file's name and digest."""

    name: str
    version: str
    file: str
    digest: str

    @property
    def url(self) -> str:
        """Where PyPI has it, whatever index it was fetched from."""
        folder = f"{self.name[0]}/{self.name}"
        return f"https://files.pythonhosted.org/packages/source/{folder}/{self.file}"


def locked() -> dict[str, tuple[str, set[str]]]:
    """Of each locked package its version and digests."""
    found: dict[str, tuple[str, set[str]]] = {}
    for entry in re.split(r"\n(?=[a-z0-9])", LOCK.read_text("utf-8")):
        if match := re.match(r"([\w.-]+)==([^\s;]+)", entry):
            found[match[1]] = (match[2], set(re.findall(r"sha256:([0-9a-f]{64})", entry)))
    return found


def needed() -> list[str]:
    """The packages that are installed with ours: those of pyproject.toml, and what they need in turn."""
    text = LOCK.read_text("utf-8")
    wanted = [re.split(r"[><=~! ]", each)[0].replace(".", "-") for each in PROJECT["dependencies"]]
    for name in wanted:
        for entry in re.split(r"\n(?=[a-z0-9])", text):
            via = re.findall(r"^ +# +(?:via )?([\w.-]+)$", entry, re.MULTILINE)
            other = re.match(r"[\w.-]+", entry)
            if other and name in via and other[0] not in wanted:
                wanted.append(other[0])
    return sorted(wanted)


def resources(to: Path) -> list[Resource]:
    """Fetch the archives of sources of all that is needed, as locked; a wrong digest ends it."""
    return [_fetched(name, *locked()[name], to / "resources" / name) for name in needed()]


def _fetched(name: str, version: str, digests: set[str], to: Path) -> Resource:
    fetch = (sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check")
    only = ("--no-deps", "--no-binary", ":all:", "--dest", str(to), f"{name}=={version}")
    subprocess.run([*fetch, *only], check=True, stdin=subprocess.DEVNULL)
    (file,) = to.iterdir()
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    if digest not in digests:
        sys.exit(f"{file.name} is not what requirements.lock names: {digest}")
    return Resource(name, version, file.name, digest)


def formula(sdist: Path, needs: list[Resource]) -> str:
    """The text of the formula."""
    version = sdist.name.removeprefix("operators_edge-").removesuffix(".tar.gz")
    digest = hashlib.sha256(sdist.read_bytes()).hexdigest()
    own = Resource("operators-edge", version, sdist.name, digest)
    home = PROJECT["urls"].get("Repository", PROJECT["urls"]["Package"])
    blocks = "".join(
        f'  resource "{each.name}" do\n    url "{each.url}"\n    sha256 "{each.digest}"\n  end\n\n'
        for each in needs
    )
    return _FORMULA.format(
        about=PROJECT["description"].replace("A gate", "Gate"),
        home=home,
        url=own.url,
        digest=digest,
        blocks=blocks,
    )


_FORMULA = """\
class OperatorsEdge < Formula
  include Language::Python::Virtualenv

  desc "{about}"
  homepage "{home}"
  url "{url}"
  sha256 "{digest}"
  license "MIT"

  depends_on "python@3.13"

{blocks}  def install
    virtualenv_install_with_resources
  end

  def caveats
    <<~EOS
      Run `edge init` in a project to guard it, and `edge uninstall` there before you remove this formula:
      settings that name a program which is gone block the agent's tool calls.
    EOS
  end

  test do
    assert_match version.to_s, shell_output("#{{bin}}/edge --version")
    system "git", "init", "shop"
    cd "shop" do
      system bin/"edge", "init"
      assert_match "block", shell_output("#{{bin}}/edge explain 'rm -rf ~'")
    end
  end
end
"""


# end of module
