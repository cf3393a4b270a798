"""Flyway needs nobody where its project's settings surely name a database for tests."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

TEST = "jdbc:postgresql://localhost:5432/shop_test"
ELSEWHERE = "jdbc:postgresql://db.example.com:5432/shop_test"


def flyway(url=TEST, more="", **files):
    text = (
        f"# local\nflyway.url={url}\nflyway.user=shop\nflyway.locations=filesystem:db/sql\n{more}"
    )
    others = {name.replace("__", "."): one for name, one in files.items()}
    return {"flyway.conf": text, "db/sql/V1__a.sql": "CREATE TABLE a (id INT);\n", **others}


CALM = {
    "a server of this machine": ("flyway migrate", flyway()),
    "in memory": ("flyway migrate", flyway("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1")),
    "emptied first": (
        "flyway -cleanDisabled=false clean migrate",
        flyway(more="flyway.schemas = public\n"),
    ),
}
ASKED = {
    "a server elsewhere": ("flyway migrate", flyway(ELSEWHERE)),
    "a database of the project": ("flyway migrate", flyway(TEST.removesuffix("_test"))),
    "no settings": ("flyway migrate", {}),
    "another address on the line": (f"flyway -url={ELSEWHERE} migrate", flyway()),
    "another file on the line": ("flyway -configFiles=prod.conf migrate", flyway()),
    "another environment": ("flyway -environment=prod migrate", flyway()),
    "a variable of the line": (f"FLYWAY_URL={ELSEWHERE} flyway migrate", flyway()),
    "an exported one": (f"export FLYWAY_URL={ELSEWHERE}; flyway migrate", flyway()),
    "newer settings": ("flyway migrate", flyway(flyway__toml="[flyway]\nenvironment = 'prod'\n")),
    "settings of the user": ("flyway migrate", flyway(flyway__user__toml="x = 1\n")),
    "an address that comes later": ("flyway migrate", flyway(more=f"flyway.url={ELSEWHERE}\n")),
    "a variable in the address": ("flyway migrate", flyway("jdbc:postgresql://${H}/shop_test")),
    "a statement first": ("flyway migrate", flyway(more="flyway.initSql=DROP SCHEMA a\n")),
    "a statement of the driver": (
        "flyway migrate",
        flyway("jdbc:h2:mem:a;INIT=RUNSCRIPT FROM 'x'"),
    ),
    "programs": ("flyway migrate", flyway(more="flyway.jarDirs=lib\n")),
    "programs as migrations": (
        "flyway migrate",
        {"flyway.conf": flyway()["flyway.conf"].replace("filesystem:db/sql", "classpath:db/sql")},
    ),
    "a file that the line writes": (
        f"echo flyway.url={ELSEWHERE} > flyway.conf; flyway migrate",
        flyway(),
    ),
}


@for_each(("command", "files"), CALM.values(), CALM)
def test_a_database_for_tests_needs_nobody(command, files):
    assert judged(command, files, committed=tuple(files)).effect == "allow"


@for_each(("command", "files"), ASKED.values(), ASKED)
def test_another_database_asks(command, files):
    assert judged(command, files, committed=tuple(files)).rule == "database-migrate"


# end of module
