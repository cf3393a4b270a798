"""What runs in the machine that Vagrant makes is that machine's matter; what runs on this one is not."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

INSTALL = "apt-get install -y nginx\nsystemctl enable --now nginx\n"
WIPE = "rm -rf /srv/shop\n"
HERE = {"p/base.sh": INSTALL, "p/wipe.sh": WIPE}
PATH = '  config.vm.provision "shell", path: "p/base.sh"\n'
INLINE = "  config.vm.provision :shell, inline: <<-SHELL\n    %s  SHELL\n"
TRIGGER = "  config.trigger.before :up do |t|\n    t.run = { %s }\n  end\n"


def effect(body, before="", command="vagrant up", **files):
    text = f'{before}Vagrant.configure("2") do |config|\n  config.vm.box = "debian/12"\n{body}end\n'
    return judged(command, {"Vagrantfile": text, **HERE, **files}).effect


@for_each(
    ("body", "before"),
    [
        (PATH, ""),
        (PATH.replace('"shell"', '"boot", type: "shell"'), ""),
        ('  config.vm.provision "shell" do |s|\n    s.path = "p/base.sh"\n  end\n', ""),
        ('  config.vm.provision "shell", inline: "apt-get install -y nginx"\n', ""),
        (INLINE % INSTALL, ""),
        (INLINE % WIPE, ""),
        (
            '  config.vm.provision "shell", inline: $script\n',
            f"$script = <<~TEXT\n{INSTALL}TEXT\n",
        ),
        (f'  config.vm.synced_folder "tmp/shared", "/srv/shared", create: true\n{PATH}', ""),
        (PATH + TRIGGER % 'path: "p/look.sh"', ""),
    ],
)
def test_what_is_set_up_in_the_guest_needs_nobody(body, before):
    assert effect(body, before, **{"p/look.sh": "VBoxManage list vms\n"}) == "allow"


@for_each(
    ("body", "before"),
    [
        (TRIGGER % 'path: "p/wipe.sh"', ""),
        (PATH + TRIGGER % 'path: "p/wipe.sh"', ""),
        (TRIGGER % 'inline: "rm -rf /srv/shop"', ""),
        (PATH, 'system("rm -rf /srv/shop")\n'),
        (f'{PATH.strip()}; system("rm -rf /srv/shop")\n', ""),
        (f'{INLINE % INSTALL}  system("rm -rf /srv/shop")\n', ""),
        (INLINE % 'echo #{system("rm -rf /srv/shop")}\n', ""),
        (INLINE % "rm -rf /vagrant/src\n", ""),
        (f'  config.vm.synced_folder "src", "/srv/shop"\n{INLINE % WIPE}', ""),
        (f'  config.vm.synced_folder "src", target\n{INLINE % WIPE}', ""),
        (INLINE % "aws s3 rm --recursive s3://shop\n", ""),
        (INLINE % "psql -h db.shop.example -c 'DROP TABLE x'\n", ""),
        (INLINE % "ssh web1 rm -rf /srv\n", ""),
        (INLINE % "cd / && rm -rf vagrant\n", ""),
        (INLINE % "rm -rf /{srv,vagrant}/src\n", ""),
        (INLINE % "D=/; rm -rf ${D}vagrant\n", ""),
        ("  config.vm.provision :shell, inline: 'rm -rf $D/*', env: {'D' => '/vagrant'}\n", ""),
        (f"  config.vm.share_folder 'all', '/srv/shop', '..'\n{INLINE % WIPE}", ""),
        (f"  require_relative 'more'\n{INLINE % WIPE}", ""),
        (
            "  config.vm.provision :shell, inline: $script\n  system($script)\n",
            f"$script = <<~TEXT\n{WIPE}TEXT\n",
        ),
        (
            f'  config.vm.synced_folder "..", "/srv/shop"\n{PATH.replace("base", "wipe")}',
            "",
        ),
        ("  config.trigger.after :up, run: { path: 'p/wipe.sh' }\n", ""),
    ],
)
def test_what_reaches_this_machine_or_others_needs_a_person(body, before):
    assert effect(body, before) in ("junction", "block")


def test_the_file_that_a_variable_names_is_read():
    command = "VAGRANT_VAGRANTFILE=Other vagrant up"
    assert effect("", command=command, Other='system("rm -rf /srv/shop")\n') == "block"


def test_the_place_of_a_command_in_a_script_of_the_file_is_its_line():
    text = (
        'Vagrant.configure("2") do |config|\n  config.vm.provision "shell", inline: <<-SHELL\n'
        "    ls\n    aws s3 rm --recursive s3://shop\n  SHELL\nend\n"
    )
    (finding, *_) = judged("vagrant up", {"Vagrantfile": text}).findings
    assert finding.source == "Vagrantfile:4"
