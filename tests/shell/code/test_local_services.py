"""A client that surely reaches this machine alone, or nobody, counts as such; any other does not."""

from __future__ import annotations

from tests.tables import for_each

from operators_edge.shell.code.languages import NODE, PHP, RUBY
from operators_edge.shell.code.local_services import without_local

CHARGE = "Stripe::Charge.create(amount: 1)\n"
SET = 'Stripe.api_base = "http://localhost:12111"\n'
AWAY = 'Stripe.api_base = "https://api.stripe.com"\n'
BILL = f"class Bill\n  def self.run\n    {CHARGE}  end\nend\n"
MAILER = "class Note < ActionMailer::Base\n  def hello(to)\n    mail(to: to)\n  end\nend\n"
TO_NOBODY = "ActionMailer::Base.delivery_method = :test\n"
NEW = "const s = require('stripe');\nconst stripe = new Stripe('k', {%s});\nstripe.refunds.create({});\n"
PHP_SET = "\\Stripe\\Stripe::$apiBase = 'http://127.0.0.1:12111';\n"
PHP_CHARGE = "\\Stripe\\Charge::create([]);\n"


def is_local(language, files, first=()):
    texts = {f"/p/{name}": text for name, text in files.items()}
    return without_local(texts, language, first) != texts


@for_each(
    ("language", "files"),
    [
        (RUBY, {"x.rb": f"require 'stripe'\n{SET}{CHARGE}"}),
        (RUBY, {"x.rb": SET.replace("12111", "#{ENV.fetch('PORT', 1)}") + CHARGE}),
        (RUBY, {"x.rb": f"require_relative './conf'\n{CHARGE}", "conf.rb": SET}),
        (
            RUBY,
            {
                "x.rb": 'require_relative "bill"\nrequire_relative "conf"\nBill.run\n',
                "bill.rb": BILL,
                "conf.rb": SET,
            },
        ),
        (RUBY, {"x.rb": f"require_relative 'note'\n{TO_NOBODY}Note.hello(1)\n", "note.rb": MAILER}),
        (RUBY, {"x.rb": "Mail.defaults do\n  delivery_method :test\nend\nMail.deliver do\nend\n"}),
        (PHP, {"x.php": f"<?php\nrequire 'vendor/autoload.php';\n{PHP_SET}{PHP_CHARGE}"}),
        (NODE, {"x.js": NEW % "apiVersion: '1', host: 'localhost', port: 12111"}),
        (
            NODE,
            {
                "x.js": "const { octokit } = require('./c');\noctokit.issues.create({});\n",
                "c.js": "exports.octokit = new Octokit({ baseUrl: 'http://localhost:3000' });\n",
            },
        ),
    ],
)
def test_a_client_that_is_set_to_this_machine_before_its_first_use_reaches_nobody(language, files):
    assert is_local(language, files)


@for_each(
    ("language", "files"),
    [
        (RUBY, {"x.rb": CHARGE + SET}),
        (RUBY, {"x.rb": AWAY + CHARGE}),
        (RUBY, {"x.rb": SET + AWAY + CHARGE}),
        (RUBY, {"x.rb": f"{SET}Stripe.api_base = ENV['BASE']\n{CHARGE}"}),
        (RUBY, {"x.rb": f"Stripe.api_base = ENV.fetch('B', 'http://localhost:1')\n{CHARGE}"}),
        (RUBY, {"x.rb": 'Stripe.api_base = "http://localhost@a.example"\n' + CHARGE}),
        (RUBY, {"x.rb": f"if ENV['MOCK']\n  {SET}end\n{CHARGE}"}),
        (RUBY, {"x.rb": f"{SET.strip()} if ENV['MOCK']\n{CHARGE}"}),
        (RUBY, {"x.rb": f"=begin\n{SET}=end\n{CHARGE}"}),
        (RUBY, {"x.rb": f"TEXT = <<~END\n{SET}END\n{CHARGE}"}),
        (RUBY, {"x.rb": f"{SET}Stripe.send('api_' + 'base=', x)\n{CHARGE}"}),
        (RUBY, {"x.rb": f"{SET}Stripe::StripeClient.new('k')\n{CHARGE}"}),
        (RUBY, {"x.rb": f"if ENV['MOCK']\n{SET}end\n{CHARGE}"}),
        (RUBY, {"x.rb": f"x = %q(\n{SET})\n{CHARGE}"}),
        (RUBY, {"x.rb": f"x = '\n{SET}'\n{CHARGE}"}),
        (RUBY, {"x.rb": f"{SET}Stripe = Live\n{CHARGE}"}),
        (RUBY, {"x.rb": CHARGE, "conf.rb": SET}),
        (RUBY, {"x.rb": f"{CHARGE}require_relative 'conf'\n", "conf.rb": SET}),
        (
            RUBY,
            {
                "x.rb": "require_relative 'a'\nrequire_relative 'conf'\n",
                "a.rb": CHARGE,
                "conf.rb": SET,
            },
        ),
        (
            RUBY,
            {
                "x.rb": "require_relative 'a'\nrequire_relative 'conf'\n",
                "a.rb": "require_relative 'bill'\nBill.run\n",
                "bill.rb": BILL,
                "conf.rb": SET,
            },
        ),
        (
            RUBY,
            {
                "x.rb": "require_relative 'lost'\nrequire_relative 'conf'\n" + CHARGE,
                "conf.rb": SET,
            },
        ),
        (RUBY, {"x.rb": MAILER + TO_NOBODY.replace(":test", ":smtp")}),
        (
            RUBY,
            {"x.rb": TO_NOBODY + MAILER.replace("  def", "  self.delivery_method = :smtp\n  def")},
        ),
        (
            RUBY,
            {
                "x.rb": "Mail.defaults do\n  delivery_method :smtp, a: 1\nend\nMail.deliver do\nend\n"
            },
        ),
        (PHP, {"x.php": f"<?php\n{PHP_CHARGE}{PHP_SET}"}),
        (PHP, {"x.php": f"<?php\n{PHP_SET}$c = new \\Stripe\\StripeClient('k');\n{PHP_CHARGE}"}),
        (NODE, {"x.js": NEW % "apiVersion: 'localhost'"}),
        (NODE, {"x.js": NEW % "host: 'localhost', ...more"}),
        (NODE, {"x.js": NEW % "host: 'localhost'" + "const other = new Stripe('k');\n"}),
        (NODE, {"x.js": NEW % "host: 'localhost'" + "f(`http://a`, new Stripe('k'));\n"}),
        (NODE, {"x.js": NEW % "host: 'localhost'" + "f(/\\//, new Stripe('k'));\n"}),
        (NODE, {"x.js": NEW % "host: 'localhost'" + "stripe._setApiField('host', h);\n"}),
        (NODE, {"x.js": NEW % "host: 'localhost', ['ho' + 'st']: 'api.stripe.com'"}),
        (NODE, {"x.js": NEW % "host: 'localhost'" + "stripe.refunds.create({}, { host: h });\n"}),
        (NODE, {"x.js": NEW % "host: 'localhost'" + "const S = require('stripe');\nnew S('k');\n"}),
    ],
)
def test_a_client_that_may_reach_others_is_left(language, files):
    assert not is_local(language, files)


def test_what_is_loaded_first_counts_for_a_test():
    files = {"spec/a_spec.rb": "Note.hello(1).deliver_now\n", "spec/spec_helper.rb": TO_NOBODY}
    assert is_local(RUBY, files, ("/p/spec/spec_helper.rb",))
    assert not is_local(RUBY, files)
