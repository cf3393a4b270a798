"""Programs of several files in rarer languages: what they do to other machines by way of their clients."""

# ruff: noqa: E501 - texts of files
from tests.gate.example_project import PLACE, ROOT, Machine
from tests.tables import for_each

from operators_edge.gate.decide import assess
from operators_edge.gate.rules import load
from operators_edge.model import Call

RULES = load().with_profile("contextual")


def judged(command, files, *, held=True):
    named = {f"{ROOT}/{name}": text for name, text in files.items()}
    machine = Machine(named, committed=tuple(named) if held else ())
    return assess(Call("Bash", {"command": command}, ROOT), PLACE, machine, RULES)


GO_CLIENT = "package reg\nfunc (c *C) Delete(p string) { req, _ := http.NewRequest(http.MethodDelete, c.Base+p, nil); c.H.Do(req) }\n"


def go_main(base, more=""):
    return f'package main\nimport (\n\t"x.io/shop/internal/reg"\n)\nfunc main() {{\n\tbase := flag.String("registry", "{base}", "where")\n{more}\treg.New(*base).Delete("a")\n}}\n'


def go(base, more=""):
    return {
        "go.mod": "module x.io/shop\n",
        "internal/reg/reg.go": GO_CLIENT,
        "cmd/prune/main.go": go_main(base, more),
    }


def elixir(url, more=""):
    return {
        "mix.exs": 'defmodule M do\n  def project, do: [aliases: [reindex: ["compile", "shop.re_index"]]]\nend\n',
        "lib/mix/tasks/re_index.ex": "defmodule Mix.Tasks.Shop.ReIndex do\n  def run(_), do: Shop.Search.drop()\nend\n",
        "lib/shop/search.ex": f'defmodule Shop.Search do\n  def drop, do: Req.delete!(Req.new(base_url: cfg[:url]{more}), url: "/p")\nend\n',
        "config/config.exs": f'import Config\nconfig :shop, Shop.Search, url: "{url}"\n',
    }


def r(connect):
    return {
        "a/refresh.R": 'source("a/R/connect.R")\ncon <- connect()\ndbRemoveTable(con, "x")\n',
        "a/R/connect.R": f"connect <- function() {{\n  DBI::dbConnect({connect})\n}}\n",
    }


def julia(root):
    return {
        "src/Rotation.jl": "module Rotation\nfunction rotate!(root; keep)\n    for dir in readdir(root; join=true)\n        rm(dir; recursive = true)\n    end\nend\nend\n",
        "s/rotate.jl": f'include(joinpath(@__DIR__, "..", "src", "Rotation.jl"))\nusing .Rotation\nconst ROOT = {root}\nRotation.rotate!(ROOT; keep = 2)\n',
    }


def expect(spawn):
    return {
        "s/lib/steps.tcl": 'proc update {} {\n    send "erase startup-config\\r"\n    send "reload\\r"\n}\n',
        "s/till.exp": f"#!/usr/bin/expect -f\nsource [file join $here lib steps.tcl]\n{spawn}\nupdate\n",
    }


def kafka(properties, more=""):
    return {
        "build.gradle.kts": "plugins {}\n",
        "src/it/kotlin/shop/OrderIT.kt": "class OrderIT : KafkaBase()\n",
        "src/it/kotlin/shop/KafkaBase.kt": f"{more}abstract class KafkaBase {{\n  fun clean() {{ admin.deleteTopics(names) }}\n}}\n",
        "src/it/resources/it.properties": properties,
    }


def azure(service):
    return {
        "tools/Sweep/Sweep.csproj": "<Project/>\n",
        "tools/Sweep/Sweeper.cs": "public static class Sweeper { static void S(BlobContainerClient container) { container.DeleteBlobIfExistsAsync(name); } }\n",
        "tools/Sweep/Program.cs": f"var service = new BlobServiceClient({service});\nSweeper.S(service);\n",
    }


def rust(line):
    return {
        ".cargo/config.toml": '[alias]\nxtask = "run --package xtask --"\n',
        "xtask/src/main.rs": "mod setup;\nfn main() { setup::run() }\n",
        "xtask/src/setup.rs": f"pub fn run() {{\n    {line}\n}}\n",
    }


SEEDS = "using Microsoft.EntityFrameworkCore;\nawait db.Database.EnsureDeletedAsync();\n"


def seeder(connection):
    return {
        "Seed/Seed.csproj": "<Project Sdk='Microsoft.NET.Sdk'/>",
        "Seed/Program.cs": SEEDS,
        "Seed/appsettings.json": f'{{"ConnectionStrings": {{"Main": "{connection}"}}}}',
    }


FETCH = 'Command::new("sh")\n        .args(["-c", &format!("curl -fsSL {url} | sh")])\n        .status();'
SPAWN = "spawn ssh admin@$name.stores.example.com"
STOPPED = {
    "a database of .NET that is named with its protocol": (
        "dotnet run --project Seed",
        seeder("Server=tcp:shop.database.example.com,1433;Database=shop"),
    ),
    "a database of .NET that is a data source": (
        "dotnet run --project Seed",
        seeder("Data Source=np:db1.example.com;Initial Catalog=shop"),
    ),
    "a client of Go whose address is a flag's": ("go run ./cmd/prune", go("https://r.example.com")),
    "a task of mix": ("mix shop.re_index", elixir("https://es.example.com:9243")),
    "an alias of a task": ("mix reindex", elixir("https://es.example.com")),
    "tables of a warehouse": (
        "Rscript a/refresh.R",
        r('RPostgres::Postgres(), host = Sys.getenv("H", "dwh.example.com")'),
    ),
    "folders of the home": (
        "julia s/rotate.jl",
        julia('get(ENV, "R", joinpath(homedir(), "forecasts", "runs"))'),
    ),
    "a dialogue with a device": ("expect s/till.exp", expect(SPAWN)),
    "a dialogue, by its first line": ("./s/till.exp", expect(SPAWN)),
    "topics of a shared cluster": (
        "./gradlew clean integrationTest",
        kafka("bootstrap.servers=kafka-1.stg.example.com:9092\n"),
    ),
    "blobs of an account": (
        "dotnet run --project tools/Sweep",
        azure('new Uri($"https://{a}.blob.core.windows.net"), new DefaultAzureCredential()'),
    ),
    "a fetched script that a module of an xtask runs": ("cargo xtask setup", rust(FETCH)),
}


@for_each(("command", "files"), STOPPED.values(), ids=list(STOPPED))
def test_what_a_program_does_elsewhere_is_stopped_though_git_holds_it(command, files):
    assert judged(command, files).effect == "junction"


WAITS = '\tapply := flag.Bool("apply", false, "really")\n\tif !*apply { return }\n'
ONLY_IF_HELD = {
    "an option that was not given": ("go run ./cmd/prune", go("https://r.example.com", WAITS)),
    "a stub in the process": (
        "mix shop.re_index",
        elixir("https://es.example.com", ", plug: &stub/1"),
    ),
    "a container of the test's own": (
        "./gradlew integrationTest",
        kafka(
            "bootstrap.servers=kafka-1.stg.example.com:9092\n",
            "import org.testcontainers.containers.KafkaContainer\n",
        ),
    ),
}


@for_each(("command", "files"), ONLY_IF_HELD.values(), ids=list(ONLY_IF_HELD))
def test_what_keeps_a_program_here_is_believed_of_what_git_holds_alone(command, files):
    assert judged(command, files).effect == "allow"
    assert judged(command, files, held=False).effect == "junction"


def test_an_option_that_is_given_counts():
    files = go("https://r.example.com", WAITS)
    assert judged("go run ./cmd/prune -apply", files).effect == "junction"


SILENT = {
    "a database of .NET in a file": (
        "dotnet run --project Seed",
        seeder("Data Source=shop-dev.db"),
    ),
    "one of another kind": ("dotnet run --project Seed", seeder("DataSource=shop.dev.sqlite3")),
    "a database of .NET on this machine": (
        "dotnet run --project Seed",
        seeder("Server=tcp:localhost,1433;Database=shop"),
    ),
    "a registry here": ("go run ./cmd/prune", go("http://localhost:5000")),
    "an index here": ("mix shop.re_index", elixir("http://localhost:9200")),
    "another task": ("mix other", elixir("https://es.example.com")),
    "a database in memory": ("Rscript a/refresh.R", r('RSQLite::SQLite(), dbname = ":memory:"')),
    "a temporary folder": ("julia s/rotate.jl", julia("mktempdir()")),
    "a program that imitates the device": ("expect s/till.exp", expect("spawn python3 fake.py")),
    "no address": ("./gradlew integrationTest", kafka("client.id=x\n")),
    "tests that are not run": (
        "./gradlew assemble",
        kafka("bootstrap.servers=kafka-1.stg.example.com:9092\n"),
    ),
    "an emulator": (
        "dotnet run --project tools/Sweep",
        azure('"UseDevelopmentStorage=true"'),
    ),
    "a hint that is printed": (
        "cargo xtask setup",
        rust('println!("to install run: curl -fsSL {url} | sh");'),
    ),
    "a comment": (
        "go run ./cmd/prune",
        go("http://localhost:5000", '\t// base := "https://r.example.com"\n'),
    ),
}


@for_each(("command", "files"), SILENT.values(), ids=list(SILENT))
def test_what_stays_on_this_machine_needs_nobody(command, files):
    assert judged(command, files).effect == "allow"


def jvm(main="", test=""):
    files = {
        "pom.xml": "<project></project>\n",
        "src/test/java/a/CleanTest.java": 'class CleanTest { void c() { jdbc.execute("TRUNCATE a"); } }\n',
        "src/main/resources/application.yml": main,
        "src/test/resources/application.yml": test,
    }
    return {name: text for name, text in files.items() if text}


FAR = "datasource:\n  url: jdbc:postgresql://db.example.com/shop\n"
NEAR = "datasource:\n  url: jdbc:postgresql://localhost/shop\n"


def test_tests_count_if_they_are_run_and_by_their_own_settings():
    assert judged("mvn -q verify", jvm(FAR)).effect == "junction"
    assert judged("./gradlew clean test", jvm(FAR)).effect == "junction"
    assert judged("mvn test", jvm(NEAR, FAR)).effect == "junction"
    assert judged("mvn test", jvm(FAR, NEAR)).effect == "allow"
    assert judged("mvn package -DskipTests", jvm(FAR)).effect == "allow"
    assert judged("mvn package -DskipTests=false", jvm(FAR)).effect == "junction"
    assert judged("gradle build -x test", jvm(FAR)).effect == "allow"
    assert judged("gradle test -DskipTests", jvm(FAR)).effect == "junction"
    far = kafka("bootstrap.servers=kafka-1.stg.example.com:9092\n")
    assert judged("./gradlew integrationTest -x test", far).effect == "junction"


GO_TEST = 'package pg\nfunc TestX(t *testing.T) { db := sql.Open("pgx", "postgres://u@db.example.com/x"); db.Exec("TRUNCATE a") }\n'


def test_tests_of_go_count_in_the_folders_that_are_named():
    files = {"go.mod": "module x.io/shop\n", "pg/pg_test.go": GO_TEST, "a/a.go": "package a\n"}
    assert judged("go test ./...", files).effect == "junction"
    assert judged("go test -run TestX ./pg", files).effect == "junction"
    assert judged("go test ./a", files).effect == "allow"
    assert judged("go vet ./...", files).effect == "allow"


def test_a_large_program_leaves_room_for_what_else_the_line_runs():
    many = {f"src/test/java/a/A{n}Test.java": f"class A{n}Test {{}}\n" for n in range(300)}
    files = {"pom.xml": "<project></project>\n", "x.sh": "rm -rf ~/photos\n", **many}
    assert judged("mvn test; bash x.sh", files).effect == "junction"


def test_the_finding_names_the_file_and_line_of_the_call():
    files = go("https://r.example.com")
    found = judged("go run ./cmd/prune", files)
    assert "internal/reg/reg.go:2" in {one.source for one in found.findings}


RAKE = """namespace :orders do
  task purge: :environment do
    Order.where("x").destroy_all
  end
  task all: [:purge]
  task list: :environment do
    puts Order.count
  end
  task send: :environment do
    News.new.each_mail(&:deliver!)
  end
end
"""
SMTP = 'Mail.defaults { delivery_method :smtp, address: "smtp.example.com" }\nclass News; end\n'


MAILER = "class News < ActionMailer::Base; end\n"
SETTINGS = 'config.action_mailer.smtp_settings = { address: "smtp.example.com" }\n'


def environment(name, method):
    return {f"config/environments/{name}.rb": f"config.action_mailer.delivery_method = {method}\n"}


def rails(mail=SMTP, host="localhost"):
    return {
        "Rakefile": 'require_relative "config/application"\nRails.application.load_tasks\n',
        "lib/tasks/orders.rake": RAKE,
        "lib/news.rb": mail,
        "db/seeds.rb": "Order.delete_all\n",
        "config/database.yml": f"development:\n  host: {host}\nproduction:\n  host: db.example.com\n",
    }


RUBY = {
    "mail over a relay": ("rake orders:send", rails()),
    "rows of production": ("RAILS_ENV=production rake orders:purge", rails()),
    "by a task that needs it": ("RAILS_ENV=production bundle exec rake orders:all", rails()),
    "a task by way of rails": ("bin/rails orders:send", rails()),
    "seeds of production": ("RAILS_ENV=production rails db:seed", rails()),
    "a database elsewhere": ("rake orders:purge", rails(host="dev.example.com")),
    "tasks without a Rakefile": (
        "bin/rails orders:send",
        {name: text for name, text in rails().items() if name != "Rakefile"},
    ),
    "mail of another environment": (
        "RAILS_ENV=staging rake orders:send",
        rails(MAILER) | environment("staging", f":smtp\n{SETTINGS}"),
    ),
    "mail over a service": (
        "rake orders:send",
        rails(MAILER) | environment("development", ":postmark"),
    ),
}
CALM_RUBY = {
    "mail to nobody in tests": (
        "RAILS_ENV=test rake orders:send",
        rails(MAILER)
        | environment("development", f":smtp\n{SETTINGS}")
        | environment("test", ":test"),
    ),
    "settings of a relay that is not used": (
        "rake orders:send",
        rails(MAILER) | environment("development", f":letter_opener\n{SETTINGS}"),
    ),
    "rows of a database here": ("rake orders:purge", rails()),
    "a task that only counts": ("RAILS_ENV=production rake orders:list", rails()),
    "mail in files": ("rake orders:send", rails("# smtp.example.com\ndelivery_method :file\n")),
    "seeds of a database here": ("rails db:seed", rails()),
    "a server": ("rails server", rails()),
    "a list of tasks": ("rake -T", rails()),
}


@for_each(("command", "files"), RUBY.values(), ids=list(RUBY))
def test_what_the_ruby_of_a_task_does_elsewhere_is_stopped(command, files):
    assert judged(command, files).effect == "junction"


@for_each(("command", "files"), CALM_RUBY.values(), ids=list(CALM_RUBY))
def test_a_task_that_stays_here_needs_nobody(command, files):
    assert judged(command, files).effect == "allow"


def laravel(env):
    return {
        ".env": env,
        "app/Console/Commands/Purge.php": "<?php\nclass Purge extends Command {\n  protected $signature = 'orders:purge {--x}';\n"
        "  function handle() { (new Cleaner)->run(); }\n}\n",
        "app/Services/Cleaner.php": "<?php\nclass Cleaner { function run() { Order::where('a', 1)->delete(); } }\n",
    }


def crate(name, line):
    return {
        "Cargo.toml": "[workspace]\n",
        f"crates/{name}/src/main.rs": "mod api;\nfn main() { api::wipe() }\n",
        f"crates/{name}/src/api.rs": f"use reqwest;\npub fn wipe() {{ {line} }}\n",
    }


WIPE = 'let url = "https://api.example.com/x"; client.delete(url).send();'
FAR_RUBY = 'URL = "https://api.example.com"\nFaraday.new(url: URL).delete("/x")\n'


def test_a_command_of_laravel_counts_with_what_it_uses():
    far = laravel("DB_CONNECTION=mysql\nDB_HOST=db.example.com\n")
    near = laravel("DB_CONNECTION=mysql\nDB_HOST=127.0.0.1\n")
    assert judged("php artisan orders:purge", far).effect == "junction"
    assert judged("php artisan orders:list", far).effect == "allow"
    assert judged("php artisan orders:purge", near).effect == "allow"


def test_the_package_of_a_workspace_counts_that_is_run():
    assert judged("cargo run -p tool -- x", crate("tool", WIPE)).effect == "junction"
    assert judged("cargo run -p other", crate("tool", WIPE)).effect == "allow"
    assert judged("cargo build -p tool", crate("tool", WIPE)).effect == "allow"


def test_a_script_of_ruby_and_a_program_of_dart_count():
    assert judged("ruby x.rb", {"x.rb": FAR_RUBY}).effect == "junction"
    assert (
        judged("ruby x.rb", {"x.rb": FAR_RUBY.replace("api.example.com", "localhost")}).effect
        == "allow"
    )
    dart = (
        "final url = 'https://api.example.com';\nrequest('DELETE', url); dio.request(\"DELETE\")\n"
    )
    assert judged("dart run bin/x.dart", {"bin/x.dart": dart}).effect == "junction"


DART = "import 'package:http/http.dart' as http;\nvoid main() async {\n  %s\n}\n"


def test_tests_of_dart_count():
    sent = DART % "await http.post(Uri.parse('https://api.example.com/x'));"
    started = DART % "Process.runSync('dart', ['pub', 'publish', '--force']);"
    for code in (sent, started):
        assert judged("flutter test", {"test/x_test.dart": code}).effect == "junction"
        assert judged("dart test test/x_test.dart", {"test/x_test.dart": code}).effect == "junction"
        assert judged("dart analyze", {"test/x_test.dart": code}).effect == "allow"
    here = (
        DART % "final c = MockClient(answer); await c.post(Uri.parse('https://api.example.com'));"
    )
    assert judged("flutter test", {"test/x_test.dart": here}).effect == "allow"


def test_a_file_that_a_program_is_given_does_not_hide_it():
    files = go("https://r.example.com") | {"names.txt": "a\n"}
    files["cmd/prune/main.go"] = files["cmd/prune/main.go"]
    assert judged("go run ./cmd/prune names.txt", files).effect == "junction"


CHOOSES = 'env = ENV.fetch("APP_ENV", "production")\nActiveRecord::Base.establish_connection(config.fetch(env))\n'
DESTROYS = "task :old do\n  Account.old.find_each do |account|\n    account.destroy!\n  end\nend\n"


def records(before, task=DESTROYS):
    return {
        "Rakefile": f'require "active_record"\n{before}Dir["lib/tasks/*.rake"].each {{ |f| load f }}\n',
        "lib/tasks/a.rake": task,
        "app/models/account.rb": "class Account < ActiveRecord::Base\nend\n",
        "config/database.yml": "test:\n  database: x\n\nproduction:\n  host: db.example.com\n",
    }


@for_each(
    ("command", "files", "effect"),
    [
        ("rake old", records(CHOOSES), "junction"),
        ("rake old", records('env = ENV["RACK_ENV"] || "production"\n'), "junction"),
        ("rake old", records("ActiveRecord::Base.establish_connection(:production)\n"), "junction"),
        ("rake old", records(CHOOSES, DESTROYS.replace("destroy!", "touch")), "allow"),
        ("APP_ENV=test rake old", records(CHOOSES), "allow"),
        ("rake old", records(CHOOSES.replace("production", "test")), "allow"),
    ],
)
def test_a_task_without_an_environment_is_for_the_one_that_the_program_takes(
    command, files, effect
):
    assert judged(command, files).effect == effect


LARAVEL = "<?php\nuse Illuminate\\Console\\Command;\nuse Illuminate\\Support\\Facades\\DB;\nclass Prune extends Command {\n    protected $signature = 'shops:prune {--days=30}';\n    public function handle() { %s }\n}\n"
SYMFONY = "<?php\nuse Doctrine\\ORM\\EntityManagerInterface;\n#[AsCommand(name: 'app:prune')]\nclass PruneCommand {\n  function execute() { %s }\n}\n"


def console(act, host="db.example.com"):
    return {
        "artisan": "#!/usr/bin/env php\n<?php\n",
        ".env": f"DB_HOST={host}\nDATABASE_URL=mysql://u:p@{host}:3306/x\n",
        "bin/console": "#!/usr/bin/env php\n<?php\n",
        "app/Console/Commands/Prune.php": LARAVEL % act,
        "src/Command/PruneCommand.php": SYMFONY % act,
    }


DROPS = "DB::statement('DROP DATABASE `'.$name.'`');"


@for_each(
    ("command", "files", "effect"),
    [
        ("php artisan shops:prune", console(DROPS), "junction"),
        ("./artisan shops:prune", console(DROPS), "junction"),
        (
            "php artisan shops:prune",
            console("foreach ($all as $shop) { $shop->delete(); }"),
            "junction",
        ),
        ("php artisan shops:prune", console("DB::table('orders')->delete();"), "junction"),
        ("php bin/console app:prune", console("$this->em->remove($shop);"), "junction"),
        ("php artisan shops:list", console(DROPS), "allow"),
        ("php artisan shops:prune", console(DROPS, "mysql"), "allow"),
        ("php artisan shops:prune", console("$this->table($shops);"), "allow"),
    ],
)
def test_a_command_of_a_console_of_php_is_followed_by_its_name(command, files, effect):
    assert judged(command, files).effect == effect


COMMANDS = """package main
import (
\t"net/http"
\t"os"
)
func publish() { http.Post("https://api.example.com/x", "a", nil) }
func list() { %s }
func main() {
\tswitch os.Args[1] {
\tcase "publish":
\t\tpublish()
\tcase "list":
\t\tlist()
\t}
}
"""


def test_what_another_subcommand_sends_does_not_count():
    files = {"go.mod": "module x.io/shop\n", "main.go": COMMANDS % "print(1)"}
    assert judged("go run . list", files).effect == "allow"
    assert judged("go run . list", files, held=False).effect == "junction"
    for words in ("publish", "$COMMAND", ""):
        assert judged(f"go run . {words}", files).effect == "junction"
    files["main.go"] = COMMANDS % "publish()"
    assert judged("go run . list", files).effect == "junction"


def test_a_program_of_dart_counts_that_is_named():
    files = {
        "pubspec.yaml": "name: a\n",
        "bin/send.dart": DART % "await http.post(Uri.https('api.example.com'));",
    }
    for words in ("run", "run bin/send.dart", "run :send", "run a:send", "run $NAME"):
        assert judged(f"dart {words}", files).effect == "junction"
    assert judged("dart run build_runner build", files).effect == "allow"


def reading(named, place, text, body="rdb.FlushAll(ctx)"):
    return {
        "go.mod": "module x.io/shop\n",
        "internal/s/s_test.go": f"package s\nfunc TestMain(m *testing.M) {{\n\traw, _ := os.ReadFile({named})\n\tjson.Unmarshal(raw, &conf)\n\t{body}\n}}\n",
        place: text,
    }


SESSIONS = '{"addr": "sessions.example.net:6379"}'
NEAR_SESSIONS = '{"addr": "localhost:6379"}'
ELIXIR_SMS = {
    "mix.exs": "defmodule M do\nend\n",
    "lib/shop/sms.ex": "defmodule Shop.SMS do\n  def deliver(to), do: adapter().deliver(to)\n  defp adapter, do: Application.fetch_env!(:shop, :sms)\nend\n",
    "lib/shop/sms/vonage.ex": 'defmodule Shop.SMS.Vonage do\n  def deliver(to) do\n    Req.post("https://rest.nexmo.com/sms/json", json: to)\n  end\nend\n',
    "lib/shop/sms/local.ex": "defmodule Shop.SMS.Local do\n  def deliver(to), do: IO.puts(to)\nend\n",
    "priv/send.exs": 'Shop.SMS.deliver("+47")\n',
}


IMPORTS = 'import_config "#{config_env()}.exs"\n'


def sms(config, **more):
    return {**ELIXIR_SMS, "config/config.exs": f"import Config\n{config}\n{IMPORTS}", **more}


VONAGE = "config :shop, sms: Shop.SMS.Vonage\n"
IN_PROD = f"config :shop, sms: Shop.SMS.Local\nif config_env() == :prod do\n  {VONAGE}end\n"
SYMFONY = {
    "bin/console": "#!/usr/bin/env php\n<?php\n",
    "src/Command/Digest.php": "<?php\nuse Symfony\\Component\\Mailer\\MailerInterface;\n#[AsCommand(name: 'app:digest')]\nclass Digest {\n  function execute() { $this->mailer->send($email); }\n}\n",
    ".env": "MAILER_DSN=smtp://a:b@mail.example.no:587\n",
}
NO_RELAY = {**SYMFONY, ".env": "MAILER_DSN=null://null\n"}
SEEDER = {
    "tools/Seed/Seed.csproj": "<Project/>",
    "tools/Seed/Program.cs": 'var c = new ConfigurationBuilder().AddJsonFile("seed.json").Build();\nawait db.Database.EnsureDeletedAsync();\n',
}
CHOSEN = {
    "a file that tests of Go read": (
        "go test ./...",
        reading('"testdata/redis.json"', "internal/s/testdata/redis.json", SESSIONS),
    ),
    "one in parts": (
        "go test ./...",
        reading('filepath.Join("testdata", "r.json")', "internal/s/testdata/r.json", SESSIONS),
    ),
    "one of the project": (
        "go test ./...",
        reading('"../../conf/r.yaml"', "conf/r.yaml", "addr: 'sessions.example.net:6379'\n"),
    ),
    "a file of settings that code names": (
        "dotnet run --project tools/Seed",
        {**SEEDER, "tools/Seed/seed.json": '{"Main": "Server=tcp:db.example.net;"}'},
    ),
    "a variable of the line": (
        "ConnectionStrings__Main='Server=db.example.net' dotnet run --project tools/Seed",
        SEEDER,
    ),
    "an environment of the line": (
        "DOTNET_ENVIRONMENT=Production dotnet run --project tools/Seed",
        SEEDER,
    ),
    "an adapter of settings": ("mix run priv/send.exs", sms(VONAGE)),
    "an adapter of another environment": ("MIX_ENV=prod mix run priv/send.exs", sms(IN_PROD)),
    "an adapter of the own file of it": (
        "mix run priv/send.exs",
        sms("", **{"config/dev.exs": VONAGE}),
    ),
    "a command of Symfony": ("php bin/console app:digest", SYMFONY),
    "one that is started itself": ("bin/console app:digest", SYMFONY),
    "one by its tool": ("symfony console app:digest", SYMFONY),
    "a relay on the line": (
        "MAILER_DSN=smtp://u@mail.example.no php bin/console app:digest",
        NO_RELAY,
    ),
    "a relay of this machine's file": (
        "php bin/console app:digest",
        {**NO_RELAY, ".env.local": "MAILER_DSN=ses+smtp://k@default\n"},
    ),
}
CHOSEN_CALM = {
    "a file with this machine": ("go test ./...", reading('"testdata/redis.json"', "internal/s/testdata/redis.json", NEAR_SESSIONS)),
    "a file that is not read": ("go test ./...", reading('"testdata/redis.json"', "internal/s/testdata/other.json", SESSIONS)),
    "a file of what others answer": ("go test ./...", reading('"testdata/response.json"', "internal/s/testdata/response.json", SESSIONS)),
    "an adapter for prod": ("mix run priv/send.exs", sms(IN_PROD)),
    "an adapter that is set again": ("mix run priv/send.exs", sms(VONAGE, **{"config/dev.exs": "config :shop, sms: Shop.SMS.Local\n"})),
    "no relay": ("php bin/console app:digest", NO_RELAY),
    "another command of Symfony": ("php bin/console cache:clear", SYMFONY),
}  # fmt: skip


@for_each(("command", "files"), CHOSEN.values(), ids=list(CHOSEN))
def test_what_settings_choose_for_a_program_is_stopped(command, files):
    assert judged(command, files).effect != "allow"


@for_each(("command", "files"), CHOSEN_CALM.values(), ids=list(CHOSEN_CALM))
def test_what_settings_keep_here_needs_nobody(command, files):
    assert judged(command, files).effect == "allow"


ROUND = {
    "a word on the line": ("X=localstack go test ./...", reading('"testdata/redis.json"', "internal/s/testdata/redis.json", SESSIONS)),
    "a word in what a test reads": ("go test ./...", reading('"testdata/redis.json"', "internal/s/testdata/redis.json", '{"addr": "sessions.example.net:6379", "was": "miniredis"}')),
    "an environment of another language": ("DOTNET_ENVIRONMENT=Development ruby wipe.rb", {"wipe.rb": "require 'active_record'\nENV['RAILS_ENV'] ||= 'production'\nestablish_connection :production\nOrder.delete_all\n"}),
    "a module beside that answers for others": ("mix run priv/send.exs", sms(f"{VONAGE}config :shop, fake: Shop.Fake\n", **{"lib/shop/fake.ex": "defmodule Shop.Fake do\n  def x, do: Bypass.open()\nend\n"})),
}  # fmt: skip


@for_each(("command", "files"), ROUND.values(), ids=list(ROUND))
def test_no_word_of_settings_keeps_a_program_here(command, files):
    assert judged(command, files).effect != "allow"


def redis(address, test="c.FlushAll(ctx)", more=""):
    return {
        "go.mod": "module x.io/q\n",
        "env/redis.go": f'package env\n{address}\nfunc Client() *redis.Client {{ a := os.Getenv("QUEUE"); return redis.NewClient(&redis.Options{{Addr: a}}) }}\n',
        "q_test.go": f'package q\nimport "x.io/q/env"\nfunc TestMain(m *testing.M) {{ c := env.Client(); {test} }}\n{more}',
    }


@for_each(
    ("command", "files", "effect"),
    [
        ("go test ./...", redis('const defaultAddr = "redis.stg.example.com:6379"'), "junction"),
        ("go test ./...", redis('var shared = "cache.example.com:6380"'), "junction"),
        ("go test ./...", redis('const defaultAddr = "localhost:6379"'), "allow"),
        ("go test ./...", redis('const brokerAddr = "kafka.example.com:9092"'), "allow"),
        (
            "go test ./...",
            redis('const defaultAddr = "redis.stg.example.com:6379"', "c.Ping(ctx)"),
            "allow",
        ),
        (
            "QUEUE=localhost:6379 go test ./...",
            redis('const defaultAddr = "redis.stg.example.com:6379"'),
            "allow",
        ),
        (
            "QUEUE=redis.example.com:6379 go test ./...",
            redis('const defaultAddr = "localhost:6379"'),
            "junction",
        ),
    ],
)
def test_a_shared_cache_is_found_by_what_it_is_called(command, files, effect):
    assert judged(command, files).effect == effect


def test_an_address_on_this_machine_counts_only_as_git_holds_it():
    files = redis('const a = "localhost:6379"\nconst defaultAddr = "redis.stg.example.com:6379"')
    assert judged("go test ./...", files).effect == "allow"
    assert judged("go test ./...", files, held=False).effect == "junction"


def mail(test, host="mail.example.com"):
    return {
        "go.mod": "module x.io/n\n",
        "mail.go": 'package n\nimport "net/smtp"\nfunc Send(c Config) error {\n\treturn smtp.SendMail(c.Host, nil, c.From, c.To, nil)\n}\n',
        "mail_test.go": f"package n\nfunc TestX(t *testing.T) {{\n{test}\n}}\n",
        "config/smtp.json": f'{{"host": "{host}", "port": 25}}\n',
    }


@for_each(
    ("files", "effect"),
    [
        (mail('Send(Load("config/smtp.json"))'), "junction"),
        (mail('Load("config/smtp.json")'), "allow"),
        (mail('Send(Load("config/smtp.json"))', "localhost"), "allow"),
        (
            mail(
                'l, _ := net.Listen("tcp", "127.0.0.1:0"); c := Load("config/smtp.json"); c.Host = l.Addr().String(); Send(c)'
            ),
            "allow",
        ),
    ],
)
def test_mail_of_a_test_goes_where_the_settings_say(files, effect):
    assert judged("go test ./...", files).effect == effect


def fixture(usings, connection, more=""):
    return {
        "tests/T/Db.cs": f'{usings}\npublic class Db {{\n  {more}\n  public Task InitializeAsync() {{ var o = b.UseSqlServer({connection}); return new Ctx(o).Database.EnsureDeletedAsync(); }}\n  IConfiguration config = new ConfigurationBuilder().AddJsonFile("appsettings.Test.json").Build();\n}}\n',
        "tests/T/appsettings.Test.json": '{"ConnectionStrings": {"Main": "Server=sql-01.example.com;Database=Main"}}\n',
    }


@for_each(
    ("files", "effect"),
    [
        (fixture("using Testcontainers.MsSql;", 'config.GetConnectionString("Main")'), "junction"),
        (
            fixture(
                "global using DotNet.Testcontainers.Builders;", 'config.GetConnectionString("Main")'
            ),
            "junction",
        ),
        (
            fixture(
                "using Testcontainers.MsSql;",
                "sql.GetConnectionString()",
                "MsSqlContainer sql = new MsSqlBuilder().Build();",
            ),
            "allow",
        ),
    ],
)
def test_a_library_that_is_only_named_starts_no_server(files, effect):
    assert judged("dotnet test tests/T", files).effect == effect


LIVE_SQL = "DATABASE_URL=postgres://a:b@orders.example.net:5432/orders\n"
LOADS = 'godotenv.Load("../../.env")\n\tc, _ := pgx.Connect(ctx, os.Getenv("DATABASE_URL"))'
RUNS_EACH = 'for _, q := range []string{"DROP SCHEMA public CASCADE", "CREATE SCHEMA public"} {\n\t\tc.Exec(ctx, q)\n\t}'


def emptying(body=RUNS_EACH, opens=LOADS, **more):
    return {
        "go.mod": "module x.io/shop\n",
        "internal/s/s_test.go": f'package s\nimport "x.io/shop/internal/db"\nfunc TestMain(m *testing.M) {{\n\tc := db.Open()\n\t{body}\n}}\n',
        "internal/db/db.go": f"package db\nfunc Open() *pgx.Conn {{\n\t{opens}\n\treturn c\n}}\n",
        ".env": LIVE_SQL,
        **more,
    }


OWN_SQL = 'd, _ := postgres.Run(ctx, "postgres:16")\n\tc, _ := pgx.Connect(ctx, d.MustConnectionString(ctx))'
NAMED_SQL = {
    "a list of statements": (emptying(), "junction"),
    "a constant": (emptying('const q = "TRUNCATE orders"\n\tc.Exec(ctx, q)'), "junction"),
    "several lines": (
        emptying("q := `\n\t\tDROP TABLE orders;\n\t`\n\tc.Exec(ctx, q)"),
        "junction",
    ),
    "some rows": (emptying('q := "DELETE FROM orders WHERE id = $1"\n\tc.Exec(ctx, q)'), "allow"),
    "what is never run": (emptying('q := "DROP TABLE orders"\n\tlog.Print(q)'), "allow"),
    "the way back": (emptying('m := M{Down: "DROP TABLE orders"}\n\tc.Exec(ctx, up)'), "allow"),
    "a server of its own": (emptying(opens=OWN_SQL), "allow"),
    "this machine": (
        emptying(**{".env": "DATABASE_URL=postgres://a:b@localhost:5432/orders\n"}),
        "allow",
    ),
}


@for_each(("files", "effect"), NAMED_SQL.values(), ids=list(NAMED_SQL))
def test_statements_that_a_program_has_a_name_for_count(files, effect):
    assert judged("go test ./...", files).effect == effect


RAKE = "require_relative 'config/application'\nRails.application.load_tasks\n"
YML = "default: &default\n  adapter: postgresql\ndevelopment:\n  <<: *default\n  {}\nproduction:\n  host: pg.example.com\n"
PG = "pg.example.com"


def rails(does, host):
    return {
        "Rakefile": RAKE,
        "config/database.yml": YML.format(host),
        "app/models/order.rb": "class Order < ApplicationRecord\nend\n",
        "lib/tasks/tidy.rake": f"task tidy: :environment do\n  {does}\n  Order.first\nend\n",
    }


RECORDS = [
    "Order.delete_by(state: 'x')",
    "Order.public_send(:delete_all)",
    "%w[Order].each { |one| one.constantize.delete_all }",
    "ApplicationRecord.descendants.each(&:delete_all)",
    "Order\n    .where.not(state: 'x')\n    .delete_all",
    "ActiveRecord::Base.with_connection { |c| c.truncate_tables('orders') }",
    "Rake::Task['db:drop'].invoke",
    "ActiveRecord::Tasks::DatabaseTasks.drop_current",
]


@for_each("does", RECORDS)
def test_a_task_of_rails_is_judged_by_the_database_of_its_environment(does):
    hosts = [f"host: {PG}", f"url: postgres://u@{PG}/x"]
    hosts += [f'host: <%= ENV.fetch("PGHOST") {{ "{PG}" }} %>', f'host: <%= ENV["H"] || "{PG}" %>']
    for host in hosts:
        files = rails(does, host)
        assert judged("bin/rails tidy", files).effect == "junction", host
    for host in ("database: x", 'host: <%= ENV.fetch("PGHOST") { "localhost" } %>'):
        files = rails(does, host)
        assert judged("bin/rails tidy", files).effect == "allow", host


@for_each("given", ["'TRUNCATE orders'", "<<~SQL)\n    TRUNCATE orders\n  SQL\n  (0"])
def test_sql_counts_alike_in_quotes_and_in_a_here_document(given):
    does = f"ActiveRecord::Base.connection.execute({given})"
    assert judged("bin/rails tidy", rails(does, "database: x")).rule == "database-drop"


@for_each(
    "does",
    [
        "puts Order.first.title.truncate(20)",
        "Dir.glob('tmp/*').map { |one| Pathname(one) }.each(&:delete)",
        "Order.new.attributes.delete('x')",
        "Rails.cache.delete('x')",
    ],
)
def test_what_a_task_of_rails_deletes_of_its_own_disturbs_nobody(does):
    assert judged("bin/rails tidy", rails(does, f"host: {PG}")).effect == "allow"


PURGES = "class Order < ApplicationRecord\n  def self.purge!\n    where('id > 0')\n      .delete_all\n  end\nend\n"


@for_each(
    ("does", "effect"),
    [
        ("puts Order.count", "allow"),
        ("Order.purge!", "junction"),
        ("Order.public_send(ENV['WHAT'])", "junction"),
        ("%i[purge!].each { |one| Order.method(one).call }", "junction"),
    ],
)
def test_a_method_of_a_class_counts_where_something_names_it(does, effect):
    files = {**rails(does, f"host: {PG}"), "app/models/order.rb": PURGES}
    assert judged("bin/rails tidy", files).effect == effect
    assert judged("bin/rails tidy", files, held=False).effect == "junction"


SHOP = "https://api.example.com"
REQUESTS = {
    "a method by its name": f"Req.request!(method: :delete, url: '{SHOP}/a')",
    "a method that is merged": f"opts = [url: '{SHOP}/a']\nReq.new(opts) |> Req.merge(method: :delete) |> Req.request!()",
    "a function that is applied": f"apply(Req, :delete!, ['{SHOP}/a'])",
    "a function that is handed on": f"url = '{SHOP}/a'\nEnum.each([url], &Req.delete!/1)",
    "a module of Tesla": f"defmodule A do\n  use Tesla\n  plug Tesla.Middleware.BaseUrl, '{SHOP}'\n  def wipe, do: delete('/a')\nend\nA.wipe()",
    "a module of HTTPoison": f"defmodule A do\n  use HTTPoison.Base\n  def process_request_url(path), do: '{SHOP}' <> path\nend\nA.delete!('/a')",
    "a stand-in that is only named": f"IO.puts('not Req.Test')\nReq.delete!('{SHOP}/a')",
    "an option with the name of a stand-in's": f"x = [plug: nil]\nReq.delete!('{SHOP}/a')",
}


@for_each("code", REQUESTS.values(), ids=list(REQUESTS))
def test_requests_of_elixir_count_in_each_spelling(code):
    code = code.replace("'", '"')
    for text, effect in (
        (code, "junction"),
        (code.replace(SHOP, "http://localhost:4000"), "allow"),
    ):
        files = {"mix.exs": "defmodule M do\nend\n", "scripts/x.exs": f"{text}\n"}
        assert judged("mix run scripts/x.exs", files).effect == effect


CLIENT = f'defmodule Shop.Api do\n  use Tesla\n  plug Tesla.Middleware.BaseUrl, "{SHOP}"\n  def all, do: get("/a")\nend\n'


@for_each(
    "code",
    [
        'Map.delete(params, "a") |> Shop.Api.all()',
        'delete(conn, "/orders/1")\nShop.Api.all()',
        'conn |> delete("/orders/1")\nShop.Api.all()',
        'link("x", to: "/a", method: :delete)\nShop.Api.all()',
    ],
)
def test_what_only_has_the_name_of_a_request_disturbs_nobody(code):
    files = {
        "mix.exs": "defmodule M do\nend\n",
        "lib/shop/api.ex": CLIENT,
        "scripts/x.exs": f"{code}\n",
    }
    assert judged("mix run scripts/x.exs", files).effect == "allow"
    files["scripts/x.exs"] = 'Shop.Api.delete("/a")\n'
    assert judged("mix run scripts/x.exs", files).effect == "junction"


@for_each(
    "code",
    [
        f'Req.get!("{SHOP}/a")',
        f'Req.delete!("{SHOP}/a", plug: {{Req.Test, A}})',
        f'bypass = Bypass.open()\nReq.delete!(url(bypass, "{SHOP}"))',
        f'defmodule A do\n  use Tesla\n  plug Tesla.Middleware.BaseUrl, "{SHOP}"\n  def all, do: get("/a")\nend\nA.all()',
    ],
)
def test_requests_of_elixir_that_read_or_stay_here_disturb_nobody(code):
    files = {"mix.exs": "defmodule M do\nend\n", "scripts/x.exs": f"{code}\n"}
    assert judged("mix run scripts/x.exs", files).effect == "allow"


WIPES_DISK = (
    "<?php\nnamespace App\\Console\\Commands;\nuse Illuminate\\Support\\Facades\\Storage;\n"
    'class Wipe extends Command {{ protected $signature = "x:wipe"; function handle() {{ {} }} }}\n'
)


@for_each(
    ("code", "settings", "effect"),
    [
        ("Storage::disk('s3')->deleteDirectory('/');", "", "junction"),
        ("Storage::cloud()->delete('a');", "", "junction"),
        ("Storage::deleteDirectory('a');", "FILESYSTEM_DISK=s3\n", "junction"),
        ("Storage::deleteDirectory('a');", "FILESYSTEM_DISK=local\n", "allow"),
        ("Storage::deleteDirectory('a');", "", "allow"),
        ("Storage::disk('local')->delete('a');", "FILESYSTEM_DISK=s3\n", "allow"),
        ("Storage::disk('s3')->put('a', 'b');", "", "allow"),
    ],
)
def test_a_command_of_laravel_that_deletes_in_a_bucket_needs_a_person(code, settings, effect):
    files = {
        "artisan": "#!/usr/bin/env php\n<?php\n",
        "app/Console/Commands/Wipe.php": WIPES_DISK.format(code),
        ".env": settings,
    }
    assert judged("php artisan x:wipe", files).effect == effect


# end of module
