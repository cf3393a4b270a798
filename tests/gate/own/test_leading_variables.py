"""Variables that lead a program elsewhere are known by their names."""

from __future__ import annotations

from tests.tables import for_each

from operators_edge.gate.own.leading_variables import LEADS, LEADS_ENGINE, NAMED_BY_TASKS

EVERYWHERE = (
    *("DOCKER_HOST", "CONTAINER_HOST", "DOCKER_CONFIG", "HELM_KUBECONTEXT"),
    *("PGHOST", "PGSERVICEFILE", "PGSYSCONFDIR", "MYSQL_HOST"),
)


@for_each("name", EVERYWHERE)
def test_a_server_is_named_for_a_command_and_in_a_file_of_tasks(name):
    assert LEADS.fullmatch(name)
    assert NAMED_BY_TASKS.search(f"t:\n\t{name}=x run\n")
    assert bool(LEADS_ENGINE.fullmatch(name)) == name.startswith(("DOCKER_", "CONTAINER_"))


@for_each("name", ["PATH", "GIT_DIR", "PGPORT", "DOCKER_BUILDKIT"])
def test_a_file_of_tasks_may_name_what_leads_to_no_other_server(name):
    assert LEADS.fullmatch(name)
    assert not NAMED_BY_TASKS.search(name)


@for_each("name", ["KUBECONFIG", "MYSQL_PWD", "REDISCLI_AUTH", "HELM_NAMESPACE"])
def test_a_command_may_be_given_what_leads_nowhere_or_is_followed(name):
    assert not LEADS.fullmatch(name)
    assert NAMED_BY_TASKS.search(name)


@for_each("name", ["COMPOSE_PROJECT_NAME", "COMPOSE_FILE", "PGDATABASE", "MY_DOCKER_HOST", "IFS"])
def test_others_lead_nowhere(name):
    assert not LEADS.fullmatch(name)
    assert not NAMED_BY_TASKS.search(name)
