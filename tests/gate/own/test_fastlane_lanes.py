"""Lanes of fastlane that only build and test."""

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

LANES = """default_platform(:ios)
platform :ios do
  before_all do
    ensure_bundle_exec
    setup_ci if ENV["CI"]
  end
  lane :check do |options|
    scan(scheme: "Shop", devices: ["iPhone 15"])
    pack(signing: false)
  end
  lane :night do
    pack(signing: true)
    hand_over
  end
  private_lane :pack do |options|
    gym(output_directory: "build", skip_codesigning: !options[:signing])
  end
  private_lane :hand_over do
    pilot(groups: ["Beta"])
  end
end
"""


def lanes(text=LANES, **more):
    return {"fastlane/Fastfile": text} | {f"fastlane/{name}": one for name, one in more.items()}


def with_action(line):
    return lanes(
        LANES.replace('    scan(scheme: "Shop", devices: ["iPhone 15"])\n', f"    {line}\n")
    )


SILENT = {
    "with its platform": ("bundle exec fastlane ios check", lanes()),
    "without": ("fastlane check", lanes()),
    "with an option": ("fastlane ios check fast:true", lanes()),
    "settings of an action": ("fastlane check", lanes(Scanfile='scheme("Shop")\nclean(true)\n')),
    "a task of Gradle": ("fastlane check", with_action('gradle(task: "assembleDebug")')),
    "what it says": ("fastlane check", with_action('UI.message("built by #{git_branch}")')),
}
ASKS = {
    "a lane that hands over": ("fastlane ios night", lanes()),
    "a lane that is not there": ("fastlane ios nowhere", lanes()),
    "no Fastfile": ("fastlane ios check", {}),
    "two of them": ("fastlane check ios night", lanes()),
    "what runs after each lane": (
        "fastlane check",
        lanes(
            LANES.replace(
                "  lane :check", "  after_all do\n    upload_to_testflight\n  end\n  lane :check"
            )
        ),
    ),
    "at the top of the file": ("fastlane check", lanes(f'import_from_git(url: "x")\n{LANES}')),
    "a second lane of the name": (
        "fastlane check",
        lanes(f"{LANES}platform :android do\n  lane :check do\n    supply\n  end\nend\n"),
    ),
    "an action of the project's own": ("fastlane check", lanes(**{"actions/scan.rb": "x"})),
    "settings that run something": ("fastlane check", lanes(Gymfile="scheme(`curl x`)\n")),
    "a command": ("fastlane check", with_action('sh("./release.sh")')),
    "a command in a text": ("fastlane check", with_action('UI.message("#{`./release.sh`}")')),
    "a command in an option": ("fastlane check", with_action('scan(xcargs: "; ./release.sh")')),
    "another task of Gradle": ("fastlane check", with_action('gradle(task: "publishBundle")')),
    "a method": ("fastlane check", with_action('Object.send("system", "x")')),
    "a variable of a program": ("fastlane check", with_action('ENV["PATH"] = "x"')),
    "an action by another name": ("fastlane check", with_action("scan = method(:pilot)")),
    "a file that the line writes": ("echo pilot >> fastlane/Fastfile; fastlane check", lanes()),
}


@for_each(("command", "files"), SILENT.values(), SILENT)
def test_a_lane_that_only_builds_and_tests_needs_nobody(command, files):
    assert judged(command, files).effect == "allow"


@for_each(("command", "files"), ASKS.values(), ASKS)
def test_a_lane_that_may_do_more_needs_a_person(command, files):
    assert judged(command, files).effect == "junction"
