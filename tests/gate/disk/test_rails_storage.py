"""What a task of Rails deletes of attached files counts where they are on another machine."""

# ruff: noqa: E501 - texts of files
from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

STORES = "local:\n  service: Disk\n  root: x\namazon:\n  service: S3\n  bucket: shop\nshared: &shared\n  service: S3\n  bucket: shop\n"
CHOOSES = "Rails.application.configure do\n  config.active_storage.service = {}\nend\n"


def shop(chosen=":local", stores="", model="", **more):
    return {
        "Rakefile": "require_relative 'config/application'\nRails.application.load_tasks\n",
        "Gemfile": "gem 'rails'\ngem 'dotenv-rails'\n",
        "config/application.rb": "module Shop\n  class Application < Rails::Application\n  end\nend\n",
        "config/environments/development.rb": CHOOSES.format(chosen),
        "config/storage.yml": STORES + stores,
        "app/models/order.rb": f"class Order < ApplicationRecord\n  has_one_attached :invoice{model}\nend\n",
        "lib/tasks/tidy.rake": "task tidy: :environment do\n  ActiveStorage::Blob.find_each(&:purge)\n  Order.first\nend\n",
        **more,
    }


ELSEWHERE = {
    "its environment": shop(":amazon"),
    "another way to set it": shop(
        **{"config/environments/development.rb": "Rails.application.config.active_storage[:service] = :amazon\n"}
    ),
    "an initializer": shop(**{"config/initializers/x.rb": "Rails.application.config.active_storage.service = :amazon\n"}),
    "a model": shop(model=", service: :amazon"),
    "a part that merges another": shop(":uploads", "uploads:\n  <<: *shared\n  bucket: more\n"),
    "a service that nobody knows": shop(":own", "own:\n  service: S3WithPrefix\n"),
    "a service by a variable": shop(":own", "own:\n  service: <%= ENV['SERVICE'] %>\n"),
    "a variable of a file": shop("ENV.fetch('STORE', 'local').to_sym", **{".env": "STORE=amazon\n"}),
    "the same for the environment": shop("ENV.fetch('STORE', 'local').to_sym", **{".env": "STORE=local\n", ".env.development": "STORE=amazon\n"}),
    "a block": shop("ENV.fetch('STORE') { 'amazon' }.to_sym"),
    "one of two": shop("if ENV['NEAR'] then :local else :amazon end"),
    "this environment": shop("Rails.env.development? ? :amazon : :local"),
    "a mirror": shop(":both", "both:\n  service: Mirror\n  primary: local\n  mirrors: [amazon]\n"),
}  # fmt: skip


@for_each("files", ELSEWHERE.values(), ids=list(ELSEWHERE))
def test_files_in_a_store_elsewhere_need_a_person(files):
    assert judged("bin/rails tidy", files, committed=files).effect == "junction"


HERE = {
    "its environment": shop(),
    "another environment": shop("Rails.env.production? ? :amazon : :local"),
    "a model": shop(model=", service: :local"),
    "a store here with the same protocol": shop(":near", "near:\n  service: S3\n  endpoint: http://localhost:9000\n"),
    "a variable of a file": shop("ENV.fetch('STORE', 'amazon').to_sym", **{".env": "STORE=local\n"}),
    "a file that goes before": shop("ENV.fetch('STORE').to_sym", **{".env": "STORE=amazon\n", ".env.local": "STORE=local\n"}),
    "a part that merges one here": shop(":own", "base: &base\n  service: Disk\nown:\n  <<: *base\n"),
    "production alone": shop(**{"config/environments/production.rb": CHOOSES.format(":amazon")}),
}  # fmt: skip


@for_each("files", HERE.values(), ids=list(HERE))
def test_files_on_this_machine_disturb_nobody(files):
    assert judged("bin/rails tidy", files, committed=files).effect == "allow"


# end of module
