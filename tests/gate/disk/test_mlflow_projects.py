"""``mlflow run`` is judged by the command of the entry point that it names."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

PROJECT = """name: fraud
entry_points:
  main:
    command: "python steps/train.py"
  promote:
    parameters:
      version: {type: int, default: 1}
    command: "python steps/promote.py {version}"
  wipe:
    parameters:
      where: string
    command: "aws s3 rm --recursive {where}"
"""
PROMOTE = """import sys
import mlflow
mlflow.set_tracking_uri("%s")
mlflow.MlflowClient().transition_model_version_stage("fraud", sys.argv[1], "Production")
"""


def project(address="https://mlflow.example.com", folder=""):
    return {
        f"{folder}MLproject": PROJECT,
        f"{folder}steps/train.py": "import mlflow\nmlflow.log_metric('auc', 1)\n",
        f"{folder}steps/promote.py": PROMOTE % address,
        f"{folder}steps/sync.sh": "aws s3 rm --recursive s3://models\n",
    }


CASES = [
    ("mlflow run . -e promote", project(), "junction"),
    ("mlflow run -e promote --env-manager local -P version=3 .", project(), "junction"),
    ("mlflow run models -e promote", project(folder="models/"), "junction"),
    ("mlflow run . -e promote", project("sqlite:///mlflow.db"), "allow"),
    ("mlflow run .", project(), "allow"),
    ("mlflow run . -e main", project(), "allow"),
    ("mlflow run . -e wipe -P where=s3://models/old", project(), "junction"),
    ("mlflow run . -e steps/sync.sh", project(), "junction"),
    ("mlflow ui", project(), "allow"),
    ("mlflow run . --backend databricks", project(), "junction"),
    ("mlflow run . -b local", project(), "allow"),
]


@for_each(("command", "files", "effect"), CASES)
def test_an_entry_point_is_judged_by_its_command(command, files, effect):
    assert judged(command, files, committed=files).effect == effect


def test_the_address_may_be_set_in_another_module():
    for address, effect in (
        ("https://mlflow.example.com", "junction"),
        ("sqlite:///m.db", "allow"),
    ):
        files = {
            "go.py": "import mlflow\nfrom common import connect\nconnect()\n"
            "mlflow.MlflowClient().delete_registered_model('x')\n",
            "common.py": f"import mlflow\ndef connect():\n    mlflow.set_tracking_uri('{address}')\n",
        }
        assert judged("python go.py", files, committed=files).effect == effect
