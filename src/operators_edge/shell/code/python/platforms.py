"""Calls of Python libraries that start jobs which cost money, or change what a platform serves.

Owns the rows: which calls those are, and the command line that does the same. Pure. Does not own which object
a method belongs to (``shell.code.python.twins``), nor what is dangerous (the packs).
"""

from __future__ import annotations

import ast
import re
import shlex

from operators_edge.shell.code.addresses import host_of, is_elsewhere
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_CHANGES = r"(?:begin_)?(?:create|start|submit|insert|update|resize|stop|edit|cancel|delete|run_now)(?:_\w+)?"


class Row(NamedTuple):
    """What stands between the name of a library and the end of a call, and the command that does the same."""

    calls: str
    command: str


_ELSEWHERE = "modal deploy task"
"""What starts something on a platform whose own program has no rule."""
_VERTEX = r"run|submit|deploy|train|fit|upload|undeploy\w*|delete|create\w*|batch_predict\w*"
_ROWS = {
    "sagemaker": Row(
        r".+\.(?:fit|tune|deploy|transform|train|run|start|upsert|register|create\w*|delete\w*)",
        "aws sagemaker create-training-job",
    ),
    "vertexai": Row(rf".+\.(?:{_VERTEX})", "gcloud ai custom-jobs create"),
    "google": Row(
        rf"cloud\.aiplatform\b.*\.(?:{_VERTEX})|cloud\.(?:batch|dataproc|dataflow|compute|tpu|notebooks|run"
        rf"|functions|container|orchestration)\w*\..*\.(?:{_CHANGES}|run_\w+)",
        "gcloud ai custom-jobs create",
    ),
    "googleapiclient": Row(
        r".*\.(?:insert|create|patch|update|delete|start|stop|reset|resize)",
        "gcloud compute instances create",
    ),
    "azure": Row(
        rf"(?:ai\.ml|mgmt|batch|synapse)\b.*\.(?:{_CHANGES}|add|invoke|(?:begin_)?(?:restart|power_off|run_command))",
        "az resource create",
    ),
    "azureml": Row(r".*\.(?:submit|deploy|create|register|provision)", "az resource create"),
    "databricks": Row(rf"sdk\..*\.(?:permanent_delete|{_CHANGES})", "databricks jobs run-now"),
    "openai": Row(
        r".*(?:fine_?tun\w*|batches|FineTun\w*|Batch)\b.*\.create",
        "curl -X POST https://api.openai.com/v1/jobs",
    ),
    "anthropic": Row(
        r".*\bbatches\.create", "curl -X POST https://api.anthropic.com/v1/messages/batches"
    ),
    "together": Row(r".*fine_tuning\.create", "curl -X POST https://api.together.xyz/v1/jobs"),
    "mistralai": Row(
        r".*fine_tuning\.jobs\.(?:create|start)", "curl -X POST https://api.mistral.ai/v1/jobs"
    ),
    "cohere": Row(r".*finetun\w*\.create\w*", "curl -X POST https://api.cohere.com/v1/jobs"),
    "replicate": Row(
        r"(?:.+\.)?(?:trainings|deployments|models)\.(?:create|update)",
        "curl -X POST https://api.replicate.com/v1/jobs",
    ),
    "runpod": Row(r"(?:create|resume|terminate|stop|update)_\w+", "runpodctl create pod"),
    "sky": Row(r"(?:\w+\.)?(?:launch|exec|up|down|start|stop|update)", _ELSEWHERE),
    "modal": Row(r"(?:.+\.)?deploy", _ELSEWHERE),
    "anyscale": Row(r"(?:.+\.)?(?:submit|deploy|run)", _ELSEWHERE),
    "coiled": Row(r"(?:.+\.)?(?:Cluster|run)", _ELSEWHERE),
    "dask_cloudprovider": Row(r"\w+\.\w+Cluster", _ELSEWHERE),
    "airflow": Row(
        r"providers\..*Hook\.(?:delete|terminate|send|create|start|trigger|publish|submit|call)\w*",
        "aws s3 rm --recursive s3://bucket/x",
    ),
    "huggingface_hub": Row(
        r"(?:.+\.)?(?:run_job|run_uv_job|(?:create|update)_inference_endpoint|request_space_hardware)",
        _ELSEWHERE,
    ),
}
_RUNS_SQL = pattern(r"Hook\.run\Z")
_REGISTRY = pattern(
    r"(?:.+\.)?(?:transition_model_version_stage|(?:set|delete)_registered_model\w*|(?:set|delete)_model_version\w*"
    r"|(?:create|update|rename)_(?:registered_model|model_version)|copy_model_version|register_model|delete_experiment"
    r"|delete_run|(?:create|update|delete)_(?:deployment|endpoint))\Z"
)
_LOGS_MODEL = pattern(r"(?:.+\.)?log_model\Z")
_SETS = pattern(r"\bset_(?:tracking|registry)_uri\Z")
_VARIABLE = pattern(r"\[['\"]MLFLOW_(?:TRACKING|REGISTRY)_URI['\"]\]\Z")
_PLATFORM = pattern(r"databricks(?:-uc)?(?:://|\Z)")
LIBRARIES = frozenset((*_ROWS, "mlflow"))


def commands(
    names: Sequence[str], node: ast.Call, made_by: Sequence[ast.Call], tree: ast.AST
) -> Iterator[str]:
    """Yield the command that a call amounts to; ``names`` are its library and those up to it."""
    path = ".".join(names[1:])
    row = _ROWS.get(names[0])
    if names[0] == "airflow" and _RUNS_SQL.search(path) and node.args:
        statement = node.args[0].value if isinstance(node.args[0], ast.Constant) else HOLE
        yield f"psql -h connection.airflow.example -c {shlex.quote(str(statement))}"
    if names[0] == "mlflow":
        yield from _of_registry(path, node, made_by, tree)
    elif row and re.fullmatch(row.calls, path) and not _stays(names[0], [*made_by, node]):
        yield row.command


def _stays(library: str, calls: Sequence[ast.Call]) -> bool:
    """Whether a job of SageMaker runs in containers of this machine."""
    if library != "sagemaker":
        return False
    kinds = [one.value for call in calls for one in call.keywords if one.arg == "instance_type"]
    return bool(kinds) and all(
        isinstance(one, ast.Constant) and one.value in ("local", "local_gpu") for one in kinds
    )


def _of_registry(
    path: str, node: ast.Call, made_by: Sequence[ast.Call], tree: ast.AST
) -> Iterator[str]:
    """What changes the models that others are served with, at the address that the program has."""
    names_model = any(one.arg == "registered_model_name" for one in node.keywords)
    if not (_REGISTRY.match(path) or (names_model and _LOGS_MODEL.match(path))):
        return
    given = [*_addresses(made_by), *_set_addresses(tree)]
    known = [one.value for one in given if isinstance(one, ast.Constant)]
    texts = [one for one in known if isinstance(one, str)]
    far = [host_of(one) for one in texts if is_elsewhere(one, "url")]
    if any(map(_PLATFORM.match, texts)):
        yield "databricks jobs run-now"
    elif far:
        yield f"curl -X POST https://{far[0]}/api/2.0/mlflow"
    elif len(known) < len(given):
        yield f"curl -X POST {HOLE}/api/2.0/mlflow"
    elif not given:
        for name in ("MLFLOW_TRACKING_URI", "MLFLOW_REGISTRY_URI"):
            yield f'curl -X POST "${{{name}:-http://localhost}}/api/2.0/mlflow"'


def _addresses(made_by: Sequence[ast.Call]) -> Iterator[ast.expr]:
    for call in made_by:
        yield from (one.value for one in call.keywords if (one.arg or "").endswith("_uri"))


def _set_addresses(tree: ast.AST) -> Iterator[ast.expr]:
    """The addresses that a program sets for all of its clients."""
    for one in ast.walk(tree):
        if isinstance(one, ast.Assign) and _VARIABLE.search(ast.unparse(one.targets[0])):
            yield one.value
        elif isinstance(one, ast.Call) and _SETS.search(ast.unparse(one.func)):
            yield from one.args[:1]


# end of module
