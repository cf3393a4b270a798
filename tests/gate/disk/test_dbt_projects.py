"""dbt on a production database elsewhere needs a person, and so does a hook that drops something there."""

from __future__ import annotations

import pytest
from tests.gate.disk.test_follow import judged
from tests.tables import for_each

SNOWFLAKE = "type: snowflake, account: ab12345, database: ANALYTICS, schema: MARTS"
SETTINGS = (
    "name: shop\nversion: '1.0'\nprofile: shop\nmodel-paths: [models]\nmacro-paths: [macros]\n"
)
MACRO = (
    "{% macro reset() %}\n  {% for n in names %}\n  drop table if exists {{ n }};\n  {% endfor %}\n"
    "{% endmacro %}\n"
)
USES = "{{ config(materialized='table', pre_hook=\"{{ reset() }}\") }}\nselect 1\n"


def project(output, target="prod", **files):
    return {
        "dbt_project.yml": SETTINGS,
        "models/revenue.sql": "select 1\n",
        "profiles.yml": f"shop:\n  target: {target}\n  outputs:\n    {target}: {{{output}}}\n",
        **files,
    }


MEMORY = "type: duckdb, path: ':memory:', schema: marts"
LOCAL = "type: postgres, host: localhost, dbname: shop, schema: prod"
AWAY = "type: postgres, host: db.shop.example, dbname: shop, schema: dev"
HOOKED = {"macros/reset.sql": MACRO, "models/revenue.sql": USES}
START = {
    "dbt_project.yml": f"{SETTINGS}on-run-start: ['{{{{ reset() }}}}']\n",
    "macros/reset.sql": MACRO,
}
PAIRS = {
    "a build": ("dbt build --profiles-dir .", project(SNOWFLAKE), project(MEMORY)),
    "a run on the usual profile": ("dbt run", project(SNOWFLAKE), project(SNOWFLAKE, "dev")),
    "a target of the line": (
        "dbt seed --target live",
        project(SNOWFLAKE, "live"),
        project(LOCAL, "live"),
    ),
    "a host that is production": (
        "dbt build",
        project("type: postgres, host: prod.shop.example, dbname: shop", "default"),
        project("type: postgres, host: stage.shop.example, dbname: shop", "default"),
    ),
    "a hook of a model": (
        "dbt build",
        project(AWAY, "dev", **HOOKED),
        project(LOCAL, "dev", **HOOKED),
    ),
    "a hook of the run": (
        "dbt run",
        project(AWAY, "dev", **START),
        project(MEMORY, "dev", **START),
    ),
    "a hook in the settings of models": (
        "dbt run",
        project(
            AWAY,
            "dev",
            **{
                "dbt_project.yml": f"{SETTINGS}models:\n  shop:\n    +post-hook: truncate table x\n"
            },
        ),
        project(
            AWAY,
            "dev",
            **{
                "dbt_project.yml": f"{SETTINGS}models:\n  shop:\n    +post-hook: grant select on x to y\n"
            },
        ),
    ),
    "a macro that is asked for": (
        "dbt run-operation reset",
        project(AWAY, "dev", **{"macros/reset.sql": MACRO}),
        project(AWAY, "dev", **{"macros/reset.sql": "{% macro reset() %} select 1 {% endmacro %}"}),
    ),
    "a project in a folder": (
        "dbt build --project-dir wh --profiles-dir wh",
        {f"wh/{name}": text for name, text in project(SNOWFLAKE).items()},
        {f"wh/{name}": text for name, text in project(MEMORY).items()},
    ),
}


@pytest.mark.parametrize("case", PAIRS.values(), ids=PAIRS)
def test_what_is_replaced_or_dropped_elsewhere_needs_a_person(case):
    command, dangerous, harmless = case
    assert judged(command, dangerous, committed=dangerous).effect == "junction"
    assert judged(command, harmless, committed=harmless).effect == "allow"


@pytest.mark.parametrize("command", ["dbt compile", "dbt ls", "dbt docs generate", "dbt debug"])
def test_what_changes_no_table_asks_nobody(command):
    files = project(SNOWFLAKE, **HOOKED)
    assert judged(command, files, committed=files).effect == "allow"


@pytest.mark.parametrize("text", ["", "shop: 3", "shop: {outputs: {prod: 3}}", "other: {}"])
def test_a_profile_that_is_not_known_tells_nothing(text):
    files = {**project(SNOWFLAKE), "profiles.yml": text}
    assert judged("dbt build", files, committed=files).effect == "allow"


SWEEP = """{% macro sweep(days=3, dry_run=true) %}
{% set stmt = 'drop ' ~ kind ~ ' if exists ' ~ name %}
{% for one in run_query('select name from old') %}
  {% do log(stmt, info=true) %}
  {% if not dry_run and days %}{% do run_query(stmt) %}{% else %}{{ log('drop table?') }}{% endif %}
{% endfor %}
{% endmacro %}
"""
REAL = SWEEP.replace("dry_run=true", "dry_run=false")
QUOTED_IF = "{% raw %}{% if not dry_run %}{% endraw %}"
ADAPTED = "{% macro go() %}{{ adapter.dispatch('sweep', 'shop')() }}{% endmacro %}" + REAL.replace(
    "sweep", "default__sweep"
)
OPERATIONS = [
    ("sweep", SWEEP, "allow"),
    ("sweep", REAL, "junction"),
    ("shop.sweep --target prod", REAL, "junction"),
    ("sweep --args '{dry_run: true}'", REAL, "allow"),
    ("sweep --args '{days: 9}' --profiles-dir .", SWEEP, "allow"),
    ("sweep --args '{\"dry_run\": false}'", SWEEP, "junction"),
    ('sweep --args "{dry_run: $REALLY}"', SWEEP, "junction"),
    ('sweep --args "$ARGS"', SWEEP, "junction"),
    ("sweep", SWEEP.replace("{% for", "{% set dry_run = false %}{% for", 1), "junction"),
    ("sweep", SWEEP.replace("{% for", "{% set (x, dry_run) = (1, false) %}{% for", 1), "junction"),
    ("sweep", SWEEP.replace("{% for", "{% set log = run_query %}{% for", 1), "junction"),
    ("sweep", SWEEP.replace("{% for", "{% from 'a' import b as log %}{% for", 1), "junction"),
    ("sweep", SWEEP.replace("{% if not dry_run and days %}", QUOTED_IF), "junction"),
    ("go", ADAPTED, "junction"),
    ("sweep", SWEEP.replace("dry_run=true", "dry_run=var('dry', true)"), "junction"),
    ("sweep", SWEEP.replace("and days", "or days"), "junction"),
    ("sweep", SWEEP.replace("log(stmt, info=true)", "log(run_query(stmt))"), "junction"),
    ("sweep", "{% macro sweep() %}{% set gone = run_query('drop view x') %}{% endmacro %}", "junction"),
    ("sweep", "{% macro sweep() %}{% do adapter.drop_relation(old) %}{% endmacro %}", "junction"),
    ("sweep", "{% macro sweep() %}{{ log('drop table x', info=true) }}{% endmacro %}", "allow"),
    ("go", SWEEP + "{% macro go() %}{{ sweep() }}{{ sweep(dry_run=false) }}{% endmacro %}", "junction"),
    ("go", REAL + "{% macro go(dry_run=true) %}{{ sweep(dry_run=dry_run) }}{% endmacro %}", "allow"),
    ("go", REAL + "{% macro go(dry_run=true) %}{{ sweep(*varargs) }}{% endmacro %}", "junction"),
]  # fmt: skip


@for_each(("words", "macros", "effect"), OPERATIONS)
def test_a_macro_that_is_asked_for_is_judged_by_the_values_that_it_gets(words, macros, effect):
    files = project(AWAY, "dev", **{"macros/all.sql": macros})
    assert judged(f"dbt run-operation {words}", files, committed=files).effect == effect


def test_a_macro_that_drops_something_needs_no_known_profile():
    files = {"dbt_project.yml": SETTINGS, "macros/all.sql": REAL}
    assert judged("dbt run-operation sweep", files, committed=files).effect == "junction"
