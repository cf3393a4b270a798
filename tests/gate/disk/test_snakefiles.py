"""A run of Snakemake is judged by its rules, and by what it ends with."""

# ruff: noqa: E501 - texts of files
from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

TOP = "configfile: 'config.yaml'\nRUN = config['run']\n\nrule all:\n    input: 'out/a.tsv'\n\n"
COUNT = "rule count:\n    input: 'a.txt'\n    output: 'out/a.tsv'\n    shell:\n        'wc -l {input} > {output}'\n\n"
END = "%s:\n    shell('%s')\n"
WIPE = "gsutil -m rm -r {config[bucket]}/{RUN}"
RULE = "rule more:\n    output: 'b.tsv'\n    %s\n"
CASES = [
    ("snakemake -c4", COUNT, "allow"),
    ("snakemake -c4", COUNT + END % ("onsuccess", WIPE), "junction"),
    ("snakemake -c4", COUNT + END % ("onerror", WIPE), "junction"),
    ("snakemake -c4", COUNT + END % ("onsuccess", "rm -rf work"), "allow"),
    ("snakemake -n", COUNT + END % ("onsuccess", WIPE), "allow"),
    ("snakemake --dag", COUNT + END % ("onsuccess", WIPE), "allow"),
    ("snakemake -c4", RULE % f"shell: '{WIPE} && touch {{output}}'", "junction"),
    ("snakemake -c4", RULE % "shell:\n        '''\n        aws s3 rm --recursive s3://raw/x\n        '''", "junction"),
    ("snakemake -c4", RULE % "shell:\n        'gsutil -m rm -r '\n        'gs://raw/x'", "junction"),
    ("snakemake -c4", RULE % "run:\n        shell('gsutil -m rm -r gs://raw/x')", "junction"),
    ("snakemake -c4", RULE % "run:\n        import requests\n        requests.delete('https://x.example.com/1')", "junction"),
    ("snakemake -c4", RULE % "script: 'post.py'", "junction"),
    ("snakemake -c4", RULE % "shell: 'gsutil cp {config[bucket]}/a {output}'", "allow"),
    ("snakemake -c4", "include: 'more.smk'\n" + COUNT, "junction"),
    ("snakemake -c4", "# include: 'more.smk'\n" + COUNT, "allow"),
    ("snakemake -c4", "rule wipe:\n    shell: 'gsutil rm -r gs://raw/x'\n", "allow"),
    ("snakemake wipe -c4", "rule wipe:\n    shell: 'gsutil rm -r gs://raw/x'\n", "junction"),
    ("snakemake -c4", "import os\nos.system('gsutil rm -r gs://raw/x')\n" + COUNT, "junction"),
    ("snakemake --executor googlebatch -j9", COUNT, "junction"),
    ("snakemake --workflow-profile far -j9", COUNT, "junction"),
    ("snakemake --profile near -j9", COUNT, "allow"),
    ("snakemake -s more.smk -c1", COUNT, "junction"),
]  # fmt: skip


@for_each(("command", "rules", "effect"), CASES)
def test_a_workflow_is_judged_by_its_rules(command, rules, effect):
    files = {
        "Snakefile": TOP + rules,
        "config.yaml": "bucket: gs://raw\nrun: R1\n",
        "more.smk": RULE % "shell: 'gsutil -m rm -r gs://raw/x'",
        "post.py": "import requests\nrequests.post('https://x.example.com/runs')\n",
        "far/config.yaml": "executor: aws-batch\njobs: 9\n",
        "near/config.yaml": "executor: local\n",
    }
    assert judged(command, files, committed=files).effect == effect


def test_the_finding_names_the_line():
    files = {"Snakefile": TOP + COUNT + END % ("onsuccess", "gsutil -m rm -r gs://raw/x")}
    found = judged("snakemake -c4", files, committed=files).findings
    assert [one.source for one in found] == ["Snakefile:14"]


OUT = "rule clean:\n    %s\n"
RM = OUT % "shell: 'rm -rf {OUT:q}'"
FOLDERS = [
    ("OUT = config['out']\n", RM),
    ("OUT = config['out']\n", OUT % "shell:\n        f'rm -rf {OUT}'"),
    ("OUT = config.get('out', 'results')\n", RM),
    ("OUT = config.get('other', config['out'])\n", RM),
    ("OUT = config['dirs']['out']\n", RM),
    ("import os\nBASE = config['out']\nOUT = os.path.join(BASE, 'x')\n", RM),
    ("from pathlib import Path\nOUT = Path(config['out']) / 'x'\n", RM),
    ("OUT = f\"{config['out']}/x\"\n", RM),
    ("", OUT % "shell: 'rm -rf {config[dirs][out]}/*'"),
    ("", OUT % "params:\n        out=config['out'],\n    shell: 'rm -rf {params.out}'"),
    ("OUT = config['out']\n", OUT % "run:\n        import shutil\n        shutil.rmtree(OUT)"),
    ("OUT = config['out']\n", OUT % "run:\n        shell('rm -rf {OUT}')"),
]  # fmt: skip


@for_each(("top", "rule"), FOLDERS)
def test_a_folder_of_the_settings_counts(top, rule):
    for folder, effect in (("/projects/shared", "junction"), ("results", "allow")):
        files = {
            "Snakefile": f"configfile: 'config.yaml'\n{top}\nrule all:\n    input: 'a'\n\n{rule}",
            "config.yaml": f"out: {folder}\ndirs:\n  out: {folder}\n",
        }
        found = judged("snakemake -j1 clean", files, committed=files, ignored=("results",))
        assert found.effect == effect, folder


def test_the_settings_of_the_line_go_before_those_of_the_file():
    top = "configfile: 'config.yaml'\nOUT = config['out']\n"
    files = {"Snakefile": top + RM, "config.yaml": "out: results\n"}
    command = "snakemake -j1 clean --config out=/projects/shared"
    assert judged(command, files, committed=files).effect == "junction"
