"""RSpec finds what tests require in ``lib``: calls from there reach others unless something answers."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

PAY = 'require "stripe"\nclass Club\n  def renew = Stripe::PaymentIntent.create(amount: 1)\nend\n'
SPEC = 'require "club"\nRSpec.describe Club do\n%s  it { subject.renew }\nend\n'
HELPER = 'require "dotenv/load"\nrequire "stripe"\nStripe.api_key = ENV.fetch("STRIPE_KEY")\n'


def suite(stub="", helper="", env="STRIPE_KEY=sk_live_1\n", **more):
    return {
        ".rspec": "--require spec_helper\n",
        ".env": env,
        "lib/club.rb": PAY,
        "spec/club_spec.rb": SPEC % stub,
        "spec/spec_helper.rb": helper + HELPER,
        **more,
    }


STOPPED = {
    "a key that pays": ("rspec", suite()),
    "through bundler": ("bundle exec rspec spec/club_spec.rb", suite()),
    "a key that is not known": ("rspec", suite(env="")),
    "a key for trials, and one that pays on the line": (
        "STRIPE_KEY=sk_live_1 rspec",
        suite(env="STRIPE_KEY=sk_test_1\n"),
    ),
    "answers that are turned off again": (
        "rspec",
        suite(helper='require "webmock/rspec"\nWebMock.allow_net_connect!\n'),
    ),
}
CALM = {
    "a library that answers": ("rspec", suite(helper='require "webmock/rspec"\n')),
    "one that is set up beside the helper": (
        "rspec",
        suite(**{"spec/support/net.rb": "WebMock.disable_net_connect!\n"}),
    ),
    "a key for trials": ("rspec", suite(env="STRIPE_KEY=sk_test_1\n")),
    "a client that is replaced": (
        "rspec",
        suite("  before { allow(Stripe::PaymentIntent).to receive(:create) }\n"),
    ),
}


@for_each(("command", "files"), STOPPED.values(), STOPPED)
def test_what_tests_have_from_the_library_of_the_project_counts(command, files):
    assert judged(command, files, committed=files).effect != "allow"


@for_each(("command", "files"), CALM.values(), CALM)
def test_a_suite_whose_requests_are_answered_needs_nobody(command, files):
    assert judged(command, files, committed=files).effect == "allow"
