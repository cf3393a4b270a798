"""Programs of .NET and the JVM that print all their settings."""

# ruff: noqa: E501 - texts of programs
from tests.tables import for_each

from operators_edge.shell.code.printed_settings import printed

LIVE = 'var config = new ConfigurationBuilder().AddJsonFile("appsettings.json").AddJsonFile("appsettings.Production.json").Build();\n'
PLAIN = 'var config = new ConfigurationBuilder().AddJsonFile("appsettings.json").Build();\n'
EACH = "foreach (var (key, value) in config.AsEnumerable().OrderBy(p => p.Key))\n{\n    if (value is null)\n        continue;\n    Console.WriteLine(%s);\n}\n"
SECRETS = 'var p = new Properties();\np.load(new FileReader("secrets.properties"));\n'
PRINTED = [
    LIVE + EACH % '$"{key} = {value}"',
    LIVE + EACH % 'key + "=" + value',
    LIVE + "foreach (var kv in config.AsEnumerable())\n    Console.WriteLine(kv.Key + kv.Value);\n",
    LIVE + "Console.WriteLine(config.GetDebugView());\n",
    LIVE
    + 'config.AsEnumerable().ToList().ForEach(p => Console.WriteLine($"{p.Key}: {p.Value}"));\n',
    LIVE + EACH.replace("Console", "var text = key + value;\n    Console") % "text",
    'var builder = Host.CreateApplicationBuilder(args);\nforeach (var (k, v) in builder.Configuration.AsEnumerable())\n    Console.WriteLine($"{k} = {v}");\n',
    'foreach (DictionaryEntry e in Environment.GetEnvironmentVariables())\n  Console.WriteLine($"{e.Key}={e.Value}");\n',
    "for (Map.Entry<String, String> e : System.getenv().entrySet()) {\n  System.out.println(e.getKey() + e.getValue());\n}\n",
    'System.getenv().forEach((k, v) -> System.out.println(k + "=" + v));\n',
    "System.out.println(System.getenv());\n",
    SECRETS + "p.list(System.out);\n",
    SECRETS + 'p.forEach((k, v) -> System.out.println(k + "=" + v));\n',
    'for ((k, v) in System.getenv()) {\n  println("$k=$v")\n}\n',
    'System.getenv().forEach { (k, v) -> println("$k=$v") }\n',
    'val env = System.getenv()\nenv.forEach { k, v -> println("$k $v") }\n',
    'for ((k, v) <- sys.env) println(s"$k=$v")\n',
    "println(ConfigFactory.load().root().render())\n",
]
KEPT = [
    PLAIN + EACH % '$"{key} = {value}"',
    LIVE + EACH % '$"{key} = <{value.Length} characters>"',
    LIVE + EACH % '$"{key} {value?.Length}"',
    LIVE + EACH % '"value"',
    LIVE + "foreach (var kv in config.AsEnumerable())\n    Console.WriteLine(kv.Key);\n",
    LIVE
    + 'config.AsEnumerable().ToList().ForEach(p => Console.WriteLine($"{p.Key}: {Mask(p.Value)}"));\n',
    LIVE
    + 'config.GetSection("Logging").AsEnumerable().ToList().ForEach(p => Console.WriteLine(p.Value));\n',
    LIVE
    + 'Console.WriteLine(config["Logging:Level"]);\nConsole.WriteLine(config.AsEnumerable().Count());\n',
    "System.getenv().forEach((k, v) -> System.out.println(k + v.length()));\n",
    "System.out.println(System.getenv().size());\n",
    'System.out.println(System.getenv("HOME"));\n',
    SECRETS + 'System.out.println(p.getProperty("version"));\n',
    SECRETS.replace("secrets", "build") + "p.list(System.out);\n",
]


@for_each("code", PRINTED)
def test_all_settings_or_variables_with_their_values_are_seen(code):
    assert list(printed(code))


@for_each("code", KEPT)
def test_names_lengths_and_parts_show_no_secret(code):
    assert not list(printed(code))


def test_values_that_a_condition_chooses_by_their_names_are_doubtful():
    code = LIVE + EACH.replace("value is null", 'key.Contains("Password")') % "value"
    assert [one.is_doubtful for one in printed(code)] == [True]
