"""The modules that settings of Elixir choose in an environment."""

from tests.tables import for_each

from operators_edge.shell.code.mix_settings import chosen_modules

LOCAL = "config :shop, sms: Shop.SMS.Local\n"
REAL = "config :shop, sms: Shop.SMS.Twilio\n"
CASES = {
    "a key": ([REAL], ["Shop.SMS.Twilio"]),
    "a key apart": (["config :shop, :sms, Shop.SMS.Twilio\n"], ["Shop.SMS.Twilio"]),
    "a later file": ([REAL, LOCAL], ["Shop.SMS.Local"]),
    "another key of a later file": (
        [REAL, "config :shop, mail: Shop.Mail\n"],
        ["Shop.SMS.Twilio", "Shop.Mail"],
    ),
    "a later module of another place": (
        ["config :shop, Shop.A, adapter: Real\n", "config :shop, Shop.B, adapter: Fake\n"],
        ["Real", "Fake"],
    ),
    "a block for another environment": (
        [f"{LOCAL}if config_env() == :prod do\n  {REAL}end\n"],
        ["Shop.SMS.Local"],
    ),
    "a block for several": ([f"if Mix.env() in [:dev, :prod] do\n  {REAL}end\n"], ["Shop.SMS.Twilio"]),
    "its other half": (
        [f"if config_env() == :test do\n  {LOCAL}else\n  {REAL}end\n"],
        ["Shop.SMS.Twilio"],
    ),
    "all but one": ([f"unless config_env() == :test do\n  {REAL}end\n"], ["Shop.SMS.Twilio"]),
    "a block that nobody knows": ([f"if on?() do\n  {REAL}end\n"], ["Shop.SMS.Twilio"]),
}  # fmt: skip


@for_each(("texts", "modules"), CASES.values(), CASES)
def test_the_settings_of_an_environment_choose_modules(texts, modules):
    assert chosen_modules(texts, "dev") == modules
