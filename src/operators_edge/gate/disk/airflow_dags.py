"""What a run of a DAG of Airflow on this machine does: its functions, commands, statements and messages.

``airflow dags test`` and ``airflow tasks test`` run tasks for real, with the connections of the machine. Owns
which files hold the DAG, and what an operator amounts to. Pure but for ``Facts``. Does not own following
Python (``gate.disk.python_programs``).
"""

from __future__ import annotations

import ast
import re

from operators_edge.gate.disk.search import Piece, SearchPart
from operators_edge.shell.commands import HOLE, quoted
from operators_edge.text import python_source
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_NAMED_WHEN_RUN = pattern(r"\b(?:DAG|dag)\(\s*(?:dag_id\s*=\s*)?(?:f['\"]|[A-Za-z_][\w.]*\s*[,)])")
"""A DAG whose name is known only when its file is run."""


class _Row(NamedTuple):
    """Operators, by their names with their module, and the command line that does the same."""

    operators: str
    command: str


_ROWS = (
    _Row(
        r"airflow\.providers\.amazon\..*(?:Delete|Terminate|Stop)\w*",
        "aws s3 rm --recursive s3://bucket/x",
    ),
    _Row(r"airflow\.providers\.google\..*(?:Delete|Stop)\w*", "gcloud storage rm -r gs://bucket/x"),
    _Row(
        r"airflow\.providers\.microsoft\..*(?:Delete)\w*",
        "az storage blob delete-batch --source x",
    ),
    _Row(
        r"airflow\.providers\.amazon\..*(?:SageMaker|Emr\w*Create|EmrAddSteps|Batch|EcsRun|Glue\w*Job|Lambda|Sns|Sqs"
        r"|Ec2\w*|RdsCreate|RdsStart|RedshiftCreate|Eks)\w*Operator",
        "aws sagemaker create-training-job",
    ),
    _Row(
        r"airflow\.providers\.google\..*(?:Dataproc|Dataflow|Dataform|Vertex|CustomTraining|Compute|CloudRun|GKE"
        r"|CloudBuild|PubSubPublish)\w*Operator",
        "gcloud ai custom-jobs create",
    ),
    _Row(
        r"airflow\.providers\.microsoft\..*(?:Batch|DataFactory|Synapse|Container)\w*Operator",
        "az resource create",
    ),
    _Row(r"airflow\.providers\.databricks\..*Operator", "databricks jobs run-now"),
    _Row(
        r"airflow\.(?:operators\.email|providers\.(?:smtp|sendgrid))\..*Operator",
        "swaks --server smtp.airflow.example --to someone@example.com",
    ),
    _Row(
        r"airflow\.providers\.(?:slack|telegram|discord|opsgenie|pagerduty|apprise|jira|zendesk|salesforce|facebook)"
        r"\..*Operator",
        "curl -X POST https://slack.com/",
    ),
)
_SQL = pattern(
    r"\.(?:SQL\w*|\w*(?:Postgres|MySql|MsSql|Snowflake|Redshift|Oracle|Vertica|Trino)\w*)Operator\Z"
)
_HTTP = pattern(r"\.providers\.http\..*HttpOperator\Z")
_SHELL = pattern(r"\.BashOperator\Z")
_READS = ("GET", "HEAD")


class Dags(SearchPart):
    """The DAG that one command runs."""

    def pieces(self, path: str, text: str) -> Iterator[Piece]:
        words = [one.text for one in self.inv.operands]
        asked = [*(one.text for one in self.inv.values(("--dag-id",))), *words[2:3]]
        if not self._holds(text, asked[0] if asked else HOLE):
            return
        task = words[3] if words[:2] == ["tasks", "test"] and len(words) > 3 else ""
        try:
            tree = python_source.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            tree = ast.Module([], [])
        for node, kind in _operators(tree):
            given = {one.arg: one.value for one in node.keywords}
            if not task or _text(given.get("task_id")) in (task, HOLE):
                for run in self._runs(kind, given):
                    yield Piece(path, run, node.lineno, folder=self.folder, is_direct=False)
        # Airflow gets all functions of the file, and says when it calls which.
        yield from self.search.file(path, text, "python", (), is_direct=False)

    def _holds(self, text: str, name: str) -> bool:
        """Whether a file may hold the DAG of a name."""
        if "airflow" not in text:
            return False
        named = rf"['\"]{re.escape(name)}['\"]|\bdef\s+{re.escape(name)}\s*\("
        return HOLE in name or bool(re.search(named, text) or _NAMED_WHEN_RUN.search(text))

    def _runs(self, kind: str, given: dict[str | None, ast.expr]) -> Iterator[str]:
        """The command lines that an operator amounts to."""
        if _SHELL.search(kind):
            yield _text(given.get("bash_command"))
        elif _HTTP.search(kind):
            method = _text(given["method"]) if "method" in given else "POST"
            if method not in _READS:
                yield "curl -X POST https://connection.airflow.example/"
        elif _SQL.search(kind):
            for statement in self._statements(given.get("sql")):
                yield quoted(["psql", "-h", "connection.airflow.example", "-c", statement])
        else:
            yield from (one.command for one in _ROWS if re.fullmatch(one.operators, kind))

    def _statements(self, node: ast.expr | None) -> Iterator[str]:
        """The statements of an operator, or those of the files that it names."""
        for one in node.elts if isinstance(node, (ast.List, ast.Tuple)) else [node]:
            text = _text(one)
            path = f"{self.context.root}/dags/{text}" if text.endswith(".sql") else ""
            yield (self.follower.read(path, self.context) or "") if path else text


def _operators(tree: ast.AST) -> Iterator[tuple[ast.Call, str]]:
    """Yield each operator that is made, with its name as it is imported."""
    names: dict[str, str] = {}
    for one in ast.walk(tree):
        if isinstance(one, ast.ImportFrom) and one.module and one.module.startswith("airflow"):
            names |= {each.asname or each.name: f"{one.module}.{each.name}" for each in one.names}
    for one in ast.walk(tree):
        if isinstance(one, ast.Call):
            head, *rest = ast.unparse(one.func).split(".")
            if head in names:
                yield one, ".".join([names[head], *rest])


def _text(node: ast.expr | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else HOLE


# end of module
