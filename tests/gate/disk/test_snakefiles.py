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


GOES = "gsutil -m rm -r gs://raw/x"
WIPES = f"rule wipe:\n    shell: '{GOES}'\n"
MAKES = f"rule wipe:\n    output: 'c.tsv'\n    shell: '{GOES}'\n"
NOTEBOOK = f'{{"cells": [{{"cell_type": "code", "source": ["!{GOES}"]}}], "nbformat": 4}}'
RULES_THAT_RUN = [
    ("snakemake -c1 -R wipe", WIPES, {}),
    ("snakemake -c1 --until wipe", WIPES, {}),
    ("snakemake -c1 --profile own", WIPES, {"own/config.yaml": "until: wipe\n"}),
    ("snakemake -c1", WIPES.replace("    shell", "    default_target: True\n    shell"), {}),
    ("snakemake -c1", WIPES.replace("    shell", "    benchmark: 'b.txt'\n    shell"), {}),
    ("snakemake -c1", WIPES + "use rule wipe as more with:\n    output: 'd.tsv'\n", {}),
    ("snakemake -c1", "module own:\n    snakefile: 'own.smk'\nuse rule * from own\n", {"own.smk": MAKES}),
    ("snakemake -c1", "DIR = 'more'\ninclude: f'{DIR}/own.smk'\n", {"more/own.smk": MAKES}),
    ("snakemake -c1", "import os\ninclude: os.path.join('more', 'own.smk')\n", {"more/own.smk": MAKES}),
    ("snakemake -c1", "for one in names():\n    include: f'more/{one}.smk'\n", {"more/own.smk": MAKES}),
    ("snakemake -c1", f"shell.prefix('{GOES}; ')\n", {}),
    ("snakemake -n", f"import os\nos.system('{GOES}')\n", {}),
    ("snakemake -c1", "rule a:\n    output: 'c'\n    notebook: 'n.ipynb'\n", {"n.ipynb": NOTEBOOK}),
    ("snakemake -c1", "DIR = 'scripts'\nrule a:\n    output: 'c'\n    script: f'{DIR}/a.py'\n", {"scripts/a.py": f"import os\nos.system('{GOES}')\n"}),
    ("snakemake -c1", "from own import tidy\nonsuccess:\n    tidy()\n", {"own.py": f"import os\ndef tidy():\n    os.system('{GOES}')\n"}),
]  # fmt: skip


@for_each(("command", "rules", "more"), RULES_THAT_RUN)
def test_what_runs_under_another_name_counts(command, rules, more):
    files = {"Snakefile": TOP + COUNT + rules, "config.yaml": "run: a\n", **more}
    assert judged(command, files, committed=files).effect == "junction"


LEFT_OUT = [
    ("snakemake -c1", WIPES, {}),
    ("snakemake -n wipe", WIPES, {}),
    ("snakemake --summary", MAKES, {}),
    ("snakemake -c1", "include: 'more/own.smk'\n", {"more/own.smk": COUNT.replace("count", "again"), "more/other.smk": MAKES}),
    ("snakemake -c1", "from own import named\nNAME = named()\n", {"own.py": f"import os\ndef named():\n    return 'a'\ndef tidy():\n    os.system('{GOES}')\n"}),
]  # fmt: skip


@for_each(("command", "rules", "more"), LEFT_OUT)
def test_what_does_not_run_disturbs_nobody(command, rules, more):
    files = {"Snakefile": TOP + COUNT + rules, "config.yaml": "run: a\n", **more}
    assert judged(command, files, committed=files).effect == "allow"


FAR, NEAR = "/projects/shared", "results"
ARGUMENTS = [
    "rule a:\n    input: '{0}'\n    output: 'c'\n    shell: 'rm -rf {{input}}'\n",
    "rule a:\n    output: directory('{0}')\n    shell: 'rm -rf {{output}} && mkdir {{output}}'\n",
    "OUT = '{0}'\nrule a:\n    output: 'c', directory(OUT)\n    shell: 'rm -rf {{output[1]}}'\n",
    "rule a:\n    output: d=directory('{0}')\n    shell: 'rm -rf {{output.d}}'\n",
    "rule a:\n    output: 'c'\n    params: lambda wildcards: '{0}'\n    shell: 'rm -rf {{params[0]}}'\n",
    "def where(wildcards):\n    return '{0}'\nrule a:\n    output: 'c'\n    params: d=where\n    shell: 'rm -rf {{params.d}}'\n",
    "rule a:\n    output: 'c'\n    params: d='{0}'\n    script: 'own.py'\n",
    "config['out'] = '{0}'\nrule a:\n    output: 'c'\n    shell: 'rm -rf {{config[out]}}'\n",
    "config.update(out='{0}')\nrule a:\n    output: 'c'\n    shell: 'rm -rf {{config[out]}}'\n",
    "OUT = 'x'\nif config['run']:\n    OUT = '{0}'\nrule a:\n    output: 'c'\n    shell: 'rm -rf {{OUT}}'\n",
    "from pathlib import Path\nOUT = Path('{0}')\nrule a:\n    output: 'c'\n    run:\n        import shutil\n        shutil.rmtree(OUT / 'x')\n",
    "OUT = 'x'\nOUT = '{0}'\nrule a:\n    output: 'c'\n    shell: 'rm -rf {{OUT}}'\n",
    "import os\nOUT = os.environ.get('OUT', '{0}')\nrule a:\n    output: 'c'\n    shell: 'rm -rf {{OUT}}'\n",
]


@for_each("rules", ARGUMENTS)
def test_a_folder_that_a_rule_has_of_its_arguments_counts(rules):
    for folder, effect in ((FAR, "junction"), (NEAR, "allow")):
        files = {
            "Snakefile": TOP + COUNT + rules.format(folder),
            "config.yaml": "run: a\n",
            "own.py": "import shutil\nshutil.rmtree(snakemake.params.d)\n",
        }
        found = judged("snakemake -c1", files, committed=files, ignored=(NEAR,))
        assert found.effect == effect, folder


@for_each(("folder", "effect"), [(FAR, "junction"), (NEAR, "allow")])
def test_deleting_all_output_deletes_what_the_rules_make(folder, effect):
    files = {
        "Snakefile": TOP + f"rule a:\n    output: directory('{folder}')\n",
        "config.yaml": "run: a\n",
    }
    found = judged(
        "snakemake --delete-all-output -c1", files, committed=files, ignored=(NEAR, "out")
    )
    assert found.effect == effect


# end of module
