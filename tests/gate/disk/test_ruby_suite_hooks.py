"""What the helpers of a Ruby suite empty elsewhere."""

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

CLEANS = "RSpec.configure { |c| c.before(:suite) { DatabaseCleaner.clean_with(:truncation) } }\n"
ALLOWS = "DatabaseCleaner.allow_remote_database_url = true\n"
DELETES = "Order.delete_all\n"
LOADS = 'require "dotenv/load"\n'
URL = "DATABASE_URL=postgres://shop@pg.example.com/shop\n"
S3 = (
    'require "aws-sdk-s3"\n'
    'RSpec.configure { |c| c.after(:suite) { Aws::S3::Resource.new.bucket("NAME").clear! } }\n'
)


def suite(helper="", test="database: shop_test", env="", support="", gems='gem "rails"\n', **more):
    return {
        "Gemfile": gems,
        ".env": env,
        "config/database.yml": f"default: &default\n  adapter: postgresql\ntest:\n  <<: *default\n  {test}\n"
        "production:\n  <<: *default\n  host: pg.example.com\n",
        "spec/rails_helper.rb": f'Dir["spec/support/**/*.rb"].each {{ |one| require one }}\n{helper}',
        "spec/support/clean.rb": support,
        "spec/order_spec.rb": 'require "rails_helper"\nRSpec.describe(Order) { it("x") { } }\n',
        **{name.replace("__", "/").replace("DOT", "."): text for name, text in more.items()},
    }


ASKS = {
    "an address of a file of variables": suite(LOADS + ALLOWS + CLEANS, env=URL),
    "the variable that allows it": suite(
        LOADS + CLEANS, env=f"{URL}DATABASE_CLEANER_ALLOW_REMOTE_DATABASE_URL=1\n"
    ),
    "a statement that nothing guards": suite(LOADS + CLEANS, env=URL, support=DELETES),
    "a server of the settings": suite(CLEANS, test="host: pg.example.com"),
    "variables that a gem loads": suite(DELETES, env=URL, gems='gem "dotenv-rails"\n'),
    "the schema": suite(
        support='load Rails.root.join("db/schema.rb")\n', test="host: pg.example.com"
    ),
    "a bucket": suite(support=S3.replace("NAME", "shop-uploads")),
    "a stub that is commented out": suite(
        "# Aws.config.update(stub_responses: true)\n", support=S3.replace("NAME", "shop-uploads")
    ),
    "a cache": suite(
        support='RSpec.configure { Redis.new(url: "redis://db.example.com").flushall }\n'
    ),
}
SILENT = {
    "an address that the cleaner refuses": suite(LOADS + CLEANS, env=URL),
    "variables that nothing loads": suite(ALLOWS + CLEANS, env=URL),
    "an address that is dropped": suite(
        f'{LOADS}ENV.delete("DATABASE_URL")\n{ALLOWS}{CLEANS}', env=URL
    ),
    "a server here": suite(CLEANS, test="host: localhost"),
    "a database in memory": suite(CLEANS, test="adapter: sqlite3"),
    "variables for tests go first": suite(
        DELETES,
        env=URL,
        gems='gem "dotenv-rails"\n',
        DOTenvDOTtest=URL.replace("pg.example.com", "localhost"),
    ),
    "nothing that empties": suite(LOADS, env=URL),
    "a bucket for tests": suite(support=S3.replace("NAME", "shop-test")),
    "requests that are answered": suite(
        'require "webmock/rspec"\n', support=S3.replace("NAME", "shop-uploads")
    ),
    "responses of the client's own": suite(
        "Aws.config.update(stub_responses: true)\n", support=S3.replace("NAME", "shop-uploads")
    ),
    "a cache here": suite(
        support='RSpec.configure { Redis.new(url: "redis://localhost").flushall }\n'
    ),
}


@for_each("files", ASKS.values(), ASKS)
def test_a_suite_that_empties_something_elsewhere_needs_a_person(files):
    assert (
        judged("bundle exec rspec spec/order_spec.rb", files, committed=tuple(files)).effect
        != "allow"
    )


@for_each("files", SILENT.values(), SILENT)
def test_a_suite_that_empties_what_is_its_own_needs_nobody(files):
    assert (
        judged("bundle exec rspec spec/order_spec.rb", files, committed=tuple(files)).effect
        == "allow"
    )


def test_a_variable_of_the_line_counts():
    files = suite(DELETES)
    assert judged(f"{URL.strip()} bundle exec rspec", files).effect != "allow"
    assert judged("DATABASE_URL=postgres://localhost/a bundle exec rspec", files).effect == "allow"


def test_helpers_count_for_rails_only_where_it_runs_tests():
    files = suite() | {"test/test_helper.rb": DELETES, "bin/rails": "#!/usr/bin/env ruby\n"}
    files["config/database.yml"] = "test:\n  host: pg.example.com\n"
    assert judged("rails test", files).effect != "allow"
    assert judged("rails routes", files).effect == "allow"
