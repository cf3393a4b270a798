"""Calls of Python libraries that cost money, or change what is served, as command lines."""

from __future__ import annotations

import ast

from tests.tables import for_each

from operators_edge.shell.code.languages import LIBRARIES
from operators_edge.shell.code.python import platforms, twins
from operators_edge.shell.commands import HOLE

TRAIN = "aws sagemaker create-training-job"
SAGEMAKER = (
    "from sagemaker.pytorch import PyTorch\ne = PyTorch(entry_point='x.py', instance_type=%s)\n"
)
CLIENT = "from mlflow import MlflowClient\nc = MlflowClient()\nc.set_registered_model_alias('m', 'a', 1)\n"
AT = "import mlflow\nmlflow.set_tracking_uri(%s)\n" + CLIENT
CHANGED = "curl -X POST https://mlflow.example.com/api/2.0/mlflow"
CASES = [
    (SAGEMAKER % "'ml.p4d.24xlarge'" + "e.fit({'train': 's3://x'})", [TRAIN]),
    (SAGEMAKER % "kind" + "e.fit()", [TRAIN]),
    (SAGEMAKER % "'local_gpu'" + "e.fit({'train': 'file://x'})", []),
    (SAGEMAKER % "'local'" + "e.deploy(1, instance_type='ml.m5.large')", [TRAIN]),
    (
        "from sagemaker.tuner import HyperparameterTuner\nt = HyperparameterTuner(e)\nt.fit(wait=False)",
        [TRAIN],
    ),
    ("import sagemaker\nprint(sagemaker.Session().describe_training_job('x'))", []),
    (
        "from google.cloud import aiplatform\nj = aiplatform.CustomJob(x)\nj.run()",
        ["gcloud ai custom-jobs create"],
    ),
    ("from google.cloud import aiplatform\nfor j in aiplatform.CustomJob.list(): print(j)", []),
    (
        "from azure.ai.ml import MLClient\nMLClient(a).jobs.create_or_update(job)",
        ["az resource create"],
    ),
    ("from azure.ai.ml import MLClient\nprint(MLClient(a).jobs.list())", []),
    (
        "from openai import OpenAI\nOpenAI().fine_tuning.jobs.create(model='x')",
        ["curl -X POST https://api.openai.com/v1/jobs"],
    ),
    ("from openai import OpenAI\nOpenAI().chat.completions.create(model='x')", []),
    (
        "from airflow.providers.x.hooks.y import PgHook\nPgHook('x').run('DROP TABLE a')",
        ["psql -h connection.airflow.example -c 'DROP TABLE a'"],
    ),
    ("from sklearn.svm import SVC\nSVC().fit(x, y)", []),
    (AT % "'https://mlflow.example.com'", [CHANGED]),
    (AT % "'sqlite:///m.db'", []),
    (AT % "'http://localhost:5000'", []),
    (AT % "'databricks'", ["databricks jobs run-now"]),
    (AT % "find()", [f"curl -X POST {HOLE}/api/2.0/mlflow"]),
    (AT % "'sqlite:///m.db'" + "mlflow.set_registry_uri('https://mlflow.example.com')", [CHANGED]),
    (
        "import os\nos.environ['MLFLOW_TRACKING_URI'] = 'https://mlflow.example.com'\n" + CLIENT,
        [CHANGED],
    ),
    (
        CLIENT,
        [
            'curl -X POST "${MLFLOW_TRACKING_URI:-http://localhost}/api/2.0/mlflow"',
            'curl -X POST "${MLFLOW_REGISTRY_URI:-http://localhost}/api/2.0/mlflow"',
        ],
    ),
    (
        AT % "'https://mlflow.example.com'"
        + "mlflow.sklearn.log_model(x, 'm', registered_model_name='f')",
        [CHANGED, CHANGED],
    ),
    (
        "import mlflow\nmlflow.set_tracking_uri('https://mlflow.example.com')\nmlflow.log_metric('a', 1)",
        [],
    ),
]


@for_each(("code", "expected"), CASES)
def test_a_call_of_a_platform_is_a_command_line(code, expected):
    found = [one.text for one in twins.find(ast.parse(code)) if one.text]
    assert found == expected


def test_each_library_is_one_whose_programs_are_read():
    assert set(LIBRARIES) >= platforms.LIBRARIES
