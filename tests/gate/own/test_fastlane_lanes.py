"""A lane of fastlane that tests or builds needs nobody, whatever its name."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

LANES = """
default_platform(:ios)
LEVEL = "debug"

platform :ios do
  before_all do
    setup_ci if is_ci
  end

  desc "All tests of the app"
  lane :daily do |options|
    checked
    scheme = options[:scheme] || "Shop"  # as usual
    run_tests(scheme: scheme, devices: ["iPhone 15"])
    unless options[:quick]
      build_app(scheme: scheme, output_directory: "build/#{scheme}")
    end
    UI.success("done with #{scheme}")
  end

  private_lane :checked do
    swiftlint(strict: true)
  end

  lane :store do
    upload_to_app_store(force: true)
  end
end
"""


def fastfile(old="", new="", **more):
    assert old in LANES
    others = {name.replace("__", "/"): one for name, one in more.items()}
    return {"fastlane/Fastfile": LANES.replace(old, new) if old else LANES, **others}


CALM = {
    "a lane": ("fastlane daily", fastfile()),
    "of a platform, by bundler": ("bundle exec fastlane ios daily scheme:Shop", fastfile()),
}
ASKED = {
    "another lane": ("fastlane store", fastfile()),
    "no such lane": ("fastlane weekly", fastfile()),
    "two": ("fastlane daily store", fastfile()),
    "an upload": ("fastlane daily", fastfile("    checked\n", "    pilot\n")),
    "an upload in a lane that it calls": (
        "fastlane daily",
        fastfile("    swiftlint(strict: true)", "    upload_to_testflight"),
    ),
    "a lane that uploads": ("fastlane daily", fastfile("    checked\n", "    store\n")),
    "an upload before all lanes": (
        "fastlane daily",
        fastfile("setup_ci if is_ci", "pilot if is_ci"),
    ),
    "an upload in a condition": (
        "fastlane daily",
        fastfile("    checked\n", "    is_ci ? pilot : checked\n"),
    ),
    "an upload after the block seems to end": (
        "fastlane daily",
        fastfile("    unless options[:quick]\n", "    if is_ci\n  end\n    pilot\n"),
    ),
    "a method of its own": (
        "fastlane daily",
        fastfile("platform :ios do", "def run_tests(x)\n  pilot\nend\nplatform :ios do"),
    ),
    "a method by its name": ("fastlane daily", fastfile("    checked\n", "    send(:pilot)\n")),
    "a class of the tool": (
        "fastlane daily",
        fastfile("    checked\n", "    Fastlane::Actions::PilotAction.run({})\n"),
    ),
    "a variable with the name of a method": (
        "fastlane daily",
        fastfile("    checked\n", "    pilot = 1\n    pilot(force: true)\n"),
    ),
    "a shell": ("fastlane daily", fastfile("    checked\n", '    sh("./publish.sh")\n')),
    "back quotes": ("fastlane daily", fastfile("    checked\n", "    x = `./publish.sh`\n")),
    "code in a text": ("fastlane daily", fastfile("build/#{scheme}", "build/#{pilot()}")),
    "a text that ends a command": ("fastlane daily", fastfile("iPhone 15", "a; ./publish.sh")),
    "another file": ("fastlane daily", fastfile("default_platform(:ios)", 'import "../Store"')),
    "a plugin's action": ("fastlane daily", fastfile("    checked\n", "    firebase_deploy\n")),
    "an action of the project": (
        "fastlane daily",
        fastfile(fastlane__actions__run_tests="class RunTests; end"),
    ),
    "a message to others": (
        "fastlane daily",
        fastfile("scheme: scheme, devices", 'slack_url: "https://x.example", devices'),
    ),
    "a file that the line changes": (
        "sed -i s/checked/pilot/ fastlane/Fastfile; fastlane daily",
        fastfile(),
    ),
}


@for_each(("command", "files"), CALM.values(), CALM)
def test_a_lane_that_publishes_nothing_needs_nobody(command, files):
    assert judged(command, files, committed=tuple(files)).effect == "allow"


@for_each(("command", "files"), ASKED.values(), ASKED)
def test_a_lane_that_may_publish_asks(command, files):
    assert judged(command, files, committed=tuple(files)).effect == "junction"


def test_settings_of_the_actions_are_read_as_the_programs_that_they_are():
    files = fastfile(fastlane__Gymfile="system('kubectl delete ns shop')\n")
    assert judged("fastlane daily", files, committed=tuple(files)).rule == "deploy-kubernetes"


# end of module
