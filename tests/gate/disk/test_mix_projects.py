"""Which settings hold for a task of mix, and what its aliases do to a database elsewhere."""

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

HERE = 'config :shop, Shop.Repo, hostname: "localhost", database: "shop_test"\n'
THERE = 'config :shop, Shop.Repo, hostname: "pg.example.com", database: "shop"\n'
URL = 'config :shop, Shop.Repo, url: System.get_env("DATABASE_URL", "ecto://localhost/shop_test")\n'
NO_MAIL = "config :shop, Shop.Mailer, adapter: Swoosh.Adapters.Test\n"
MAIL = 'config :shop, Shop.Mailer, adapter: Swoosh.Adapters.Sendgrid, api_key: "x"\n'
IMPORTS = 'import_config "#{config_env()}.exs"\n'
DROPS = '["ecto.drop --quiet", "ecto.create --quiet", "test"]'


def project(test="", *, first="", imports=IMPORTS, alias=DROPS, cli="", **more):
    return {
        "mix.exs": f'defmodule M do\n{cli}\n  defp aliases do\n    [\n      check: ["ecto.reset", "test"],\n'
        f'      "ecto.reset": ["ecto.drop", "ecto.create"],\n      test: {alias}\n    ]\n  end\nend\n',
        "config/config.exs": f"import Config\n{first}{imports}",
        "config/test.exs": f"import Config\n{test}",
        "lib/shop/news.ex": "defmodule Shop.News do\n  import Swoosh.Email\n  alias Shop.Mailer\n"
        "  def tell(to), do: new() |> to(to) |> Mailer.deliver()\nend\n",
        "test/test_helper.exs": "ExUnit.start()\n",
        "test/news_test.exs": 'defmodule T do\n  test "x", do: Shop.News.tell("a")\nend\n',
        **{name.replace("__", "/") + ".exs": text for name, text in more.items()},
    }


ASKS = {
    "settings of another folder": (
        "mix test",
        {
            **project(cli='  def project, do: [config_path: "conf/config.exs"]'),
            "conf/config.exs": f"import Config\n{THERE}",
        },
    ),
    "a database elsewhere": ("mix test", project(THERE)),
    "one that is not set again": ("mix test", project("config :shop, Shop.Repo, pool: P\n", first=THERE)),
    "an alias for development": ("mix check", project(HERE, config__dev=THERE)),
    "the task itself": ("MIX_ENV=test mix ecto.reset", project(THERE)),
    "a variable of the line": ("DATABASE_URL=ecto://pg.example.com/a mix test", project(URL)),
    "settings of the start": (
        "mix test",
        project(HERE, config__runtime=f"if config_env() == :test do\n  {THERE}end\n"),
    ),
    "a file that nothing imports": ("mix test", project(HERE, first=THERE, imports="")),
    "an import that is computed": ("mix test", project(HERE, first=THERE, imports="import_config f()\n")),
    "a name for its host": (
        "mix test",
        project('host = "pg." <> "example.com"\nconfig :shop, Shop.Repo, hostname: host\n'),
    ),
    "a name for all of it": (
        "mix test",
        project('opts = [hostname: "pg.example.com"]\nconfig :shop, Shop.Repo, opts\n'),
    ),
    "a list of repositories": (
        "mix test",
        project('config :shop, [{Shop.Repo, [hostname: "pg.example.com"]}]\n'),
    ),
    "a repository with another name": (
        "mix test",
        project(HERE + THERE.replace("Repo", "Store"), first="config :shop, ecto_repos: [Shop.Store]\n"),
    ),
    "a host that a function gives": (
        "mix test",
        project('config :shop, Shop.Repo, hostname: pick(host: "pg.example.com")\n'),
    ),
    "a host by a case": (
        "mix test",
        project(
            'host =\n  case f() do\n    nil -> "db.pg.example.com"\n    _ -> "localhost"\n  end\n'
            "config :shop, Shop.Repo, hostname: host\n"
        ),
    ),
    "a host in a sigil": ("mix test", project("config :shop, Shop.Repo, hostname: ~s(pg.example.com)\n")),
    "a host unless a variable is set": (
        "mix test",
        project('config :shop, Shop.Repo, hostname: System.get_env("PGHOST") || "pg.example.com"\n'),
    ),
    "a file that is imported if it is there": (
        "mix test",
        project(
            HERE + 'if File.exists?("x"), do: import_config "own.exs"\n', config__own=THERE
        ),
    ),
    "the same in a block": (
        "mix test",
        project('if x?() do\n  import_config "own.exs"\nend\n', first=THERE, config__own=HERE),
    ),
    "a variable of the start": (
        "mix test",
        project(
            HERE,
            config__runtime='if url = System.get_env("U", "ecto://pg.example.com/a") do\n'
            "  config :shop, Shop.Repo, url: url\nend\n",
        ),
    ),
    "a variable of a file": (
        "mix test",
        {
            **project('source!([".env"])\nconfig :shop, Shop.Repo, url: env!("DATABASE_URL", :string)\n'),
            ".env": "DATABASE_URL=ecto://a:b@pg.example.com/a\n",
        },
    ),
    "what the repository sets as it starts": (
        "mix test",
        {
            **project(HERE),
            "lib/shop/repo.ex": "defmodule Shop.Repo do\n  use Ecto.Repo, otp_app: :shop\n"
            '  def init(_, c), do: {:ok, Keyword.put(c, :hostname, "pg.example.com")}\nend\n',
        },
    ),
    "mail": ("mix test", project(HERE + MAIL)),
    "mail in a block that may hold": (
        "mix test",
        project(f'{HERE}if System.get_env("FAKE") do\n  {NO_MAIL}end\n', first=MAIL),
    ),
    "mail by the tests' own settings": (
        "mix test",
        project(
            HERE + NO_MAIL,
            test__test_helper="put_env(:shop, Shop.Mailer, adapter: Swoosh.Adapters.Mailgun)\n",
        ),
    ),
    "what the tests empty": (
        "mix test",
        project(THERE, alias='["test"]', test__test_helper='Shop.Repo.query!("TRUNCATE a")\n'),
    ),
    "what the tests drop": (
        "mix test",
        project(THERE, alias='["test"]', test__test_helper='Mix.Task.run("ecto.drop")\n'),
    ),
}  # fmt: skip
SILENT = {
    "a database here": ("mix test", project(HERE + NO_MAIL)),
    "one that is set again": ("mix test", project(HERE + NO_MAIL, first=THERE + MAIL)),
    "one of several runs beside each other": (
        "mix test",
        project(
            'config :shop, Shop.Repo, url: "ecto://a@localhost/shop_test#{System.get_env("PART")}"\n',
            config__runtime=f"if config_env() == :prod do\n  {THERE}end\n",
        ),
    ),
    "a function that is given this machine": (
        "mix test",
        project('config :shop, Shop.Repo, hostname: Shop.Config.host("localhost")\n'),
    ),
    "here unless a variable is set": (
        "mix test",
        project('config :shop, Shop.Repo, hostname: System.get_env("PGHOST") || "localhost"\n'),
    ),
    "a repository that sets its pool": (
        "mix test",
        {
            **project(HERE),
            "lib/shop/repo.ex": "defmodule Shop.Repo do\n  use Ecto.Repo, otp_app: :shop\n"
            "  def init(_, c), do: {:ok, Keyword.put(c, :pool_size, 5)}\nend\n",
        },
    ),
    "one elsewhere that nothing changes": ("mix test", project(NO_MAIL, first=THERE, alias='["test"]')),
    "an alias that prefers tests": (
        "mix check",
        project(HERE + NO_MAIL, cli="def cli, do: [preferred_envs: [check: :test]]", config__dev=THERE),
    ),
    "settings for production": (
        "mix test",
        project(HERE + NO_MAIL, config__runtime=f"if config_env() == :prod do\n  {THERE}end\n"),
    ),
    "a variable with a usual value": ("mix test", project(URL + NO_MAIL)),
    "a relay that the adapter leaves": (
        "mix test",
        project(
            HERE + NO_MAIL,
            first='config :shop, Shop.Mailer, adapter: X.SMTP, relay: "smtp.example.com"\n',
        ),
    ),
    "the name of the web server": (
        "mix test",
        project(
            HERE + NO_MAIL,
            first='config :shop, ShopWeb.Endpoint, url: [host: "shop.example.com"]\n',
            test__test_helper='Shop.Repo.query!("TRUNCATE a")\n',
        ),
    ),
}  # fmt: skip


@for_each(("command", "files"), ASKS.values(), ASKS)
def test_what_a_task_of_mix_changes_elsewhere_needs_a_person(command, files):
    assert judged(command, files, committed=tuple(files)).effect != "allow"


@for_each(("command", "files"), SILENT.values(), SILENT)
def test_a_task_of_mix_with_a_database_of_its_own_needs_nobody(command, files):
    assert judged(command, files, committed=tuple(files)).effect == "allow"
