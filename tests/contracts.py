"""Contract types for import-linter: which modules are pure, and how many packages there are."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from importlinter.application import output
from importlinter.domain import fields
from importlinter.domain.contract import Contract, ContractCheck

if TYPE_CHECKING:
    from grimp import ImportGraph


class PureContract(Contract):
    """Every module of the packages is pure, but those that match ``impure``.

    A pure module imports nothing of ``outside``, also not through others, and none of the ``external``
    modules itself. Packages, patterns and modules of ours are named without the root package.
    """

    type_name = "pure"
    packages = fields.ListField(subfield=fields.StringField())
    impure = fields.ListField(subfield=fields.StringField())
    outside = fields.ListField(subfield=fields.StringField())
    external = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: FBT001
        (root,) = self.session_options["root_packages"]
        prefix = f"{root}."
        names = sorted(
            each.removeprefix(prefix) for each in graph.modules if each.startswith(prefix)
        )
        stale = [each for each in self.impure if not any(fnmatchcase(name, each) for name in names)]
        wrong = [f"{each} matches no module: take it out of `impure`" for each in stale]
        for name in names:
            if name.split(".")[0] not in self.packages:
                continue
            if any(fnmatchcase(name, each) for each in self.impure):
                continue
            found = graph.find_modules_directly_imported_by(prefix + name)
            wrong += [f"{name} imports {each}" for each in sorted(found & set(self.external))]
            chains = (self._chain(graph, prefix + name, prefix + each) for each in self.outside)
            wrong += [
                " -> ".join(one.removeprefix(prefix) for one in chain) for chain in chains if chain
            ]
        return ContractCheck(kept=not wrong, metadata={"wrong": wrong})

    @staticmethod
    def _chain(graph: ImportGraph, module: str, outside: str) -> tuple[str, ...] | None:
        """How a module comes to import another one, or anything of a package."""
        chains = graph.find_shortest_chains(module, outside, as_packages=False)
        for each in sorted(graph.find_descendants(outside)):
            chains |= graph.find_shortest_chains(module, each, as_packages=False)
        return min(chains, key=len, default=None)

    def render_broken_contract(self, check: ContractCheck) -> None:
        for line in check.metadata["wrong"]:
            output.print_error(line)


class FoldersContract(Contract):
    """The root package has at most so many packages below it."""

    type_name = "folders"
    most = fields.IntegerField(minimum=1)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: FBT001
        (root,) = self.session_options["root_packages"]
        children = sorted(each for each in graph.find_children(root) if graph.find_children(each))
        return ContractCheck(kept=len(children) <= int(self.most), metadata={"found": children})

    def render_broken_contract(self, check: ContractCheck) -> None:
        found = check.metadata["found"]
        output.print_error(f"{len(found)} packages, and {self.most} at most: {', '.join(found)}")
