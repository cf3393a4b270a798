"""What Python clients empty on another machine counts; what is on this one, or not known, does not."""

# ruff: noqa: E501 - texts of programs
from __future__ import annotations

import ast

from tests.tables import for_each

from operators_edge.shell.code.python import twins


def words(code):
    return [one.words for one in twins.find(ast.parse(code))]


CASES = [
    (
        "import clickhouse_connect\nc = clickhouse_connect.get_client(host='{}')\nc.command('TRUNCATE TABLE e')\n",
        "clickhouse-client",
    ),
    (
        "from clickhouse_driver import Client\nClient('{}').execute('DROP TABLE e')\n",
        "clickhouse-client",
    ),
    (
        "from cassandra.cluster import Cluster\ns = Cluster(['{}']).connect('shop')\ns.execute('TRUNCATE orders')\n",
        "cqlsh",
    ),
    (
        "from neo4j import GraphDatabase\nd = GraphDatabase.driver('bolt://{}')\nwith d.session() as s:\n    s.run('MATCH (n) DETACH DELETE n')\n",
        "cypher-shell",
    ),
    (
        "from qdrant_client import QdrantClient\nc = QdrantClient(url='http://{}:6333')\nc.delete_collection('docs')\n",
        "curl",
    ),
    (
        "from kafka.admin import KafkaAdminClient\na = KafkaAdminClient(bootstrap_servers='{}:9092')\na.delete_topics(['orders'])\n",
        "kafka-topics.sh",
    ),
    (
        "from confluent_kafka.admin import AdminClient\na = AdminClient({{'bootstrap.servers': '{}'}})\na.delete_topics(['orders'])\n",
        "kafka-topics.sh",
    ),
    (
        "import pika\nc = pika.BlockingConnection(pika.URLParameters('amqp://a:b@{}'))\nc.channel().queue_purge('orders')\n",
        "rabbitmqadmin",
    ),
    (
        "from sqlalchemy import create_engine\nfrom sqlalchemy.orm import Session\ns = Session(create_engine('postgresql://{}/shop'))\ns.query(Order).delete()\n",
        "psql",
    ),
]


@for_each(("code", "program"), CASES)
def test_a_client_counts_by_its_server(code, program):
    assert [one[0] for one in words(code.format("x.prod.example.com"))] == [program]
    assert words(code.format("localhost")) == []


@for_each("code", [code for code, _ in CASES])
def test_a_server_that_is_not_known_does_not_count(code):
    assert words(code.format("' + given + '")) == []


def test_what_only_reads_does_not_count():
    code = CASES[0][0].replace("TRUNCATE TABLE e", "SELECT 1").format("x.prod.example.com")
    assert words(code) == []


def test_mysql_is_called_with_its_server_and_database():
    code = "import pymysql\nc = pymysql.connect(host='localhost', database='shop_test')\nc.cursor().execute('drop table a')\n"
    assert words(code) == [("mysql", "-h", "localhost", "shop_test", "-e", "drop table a")]


@for_each("server", ["ann:word@k1.example.com:9092", "[2001:db8::1]:9092", "k1.example.com,k2"])
def test_a_server_is_known_however_its_address_is_written(server):
    code = CASES[5][0].replace("{}:9092", server).replace("{}", server)
    assert [one[0] for one in words(code)] == ["kafka-topics.sh"]
