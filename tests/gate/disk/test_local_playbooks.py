"""A playbook for this machine alone that only changes the project asks nobody."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

HEAD = "- hosts: localhost\n  connection: local\n  gather_facts: false\n  vars: {out: build}\n  tasks:\n"
RENDER = (
    "    - name: render\n      ansible.builtin.template:\n        src: app.conf.j2\n"
    "        dest: '{{ playbook_dir }}/{{ out }}/app.conf'\n"
)
CLEAN = "    - file: {path: build/cache, state: absent}\n    - debug: msg=done\n"
BUILD = "    - ansible.builtin.command: make build\n"
FILES = {"app.conf.j2": "port = {{ port }}\n", "Makefile": "build:\n\tcc x.c\n"}
SITE = HEAD + RENDER + CLEAN


def effect(text, command="ansible-playbook site.yml", **more):
    files = {"site.yml": text, **FILES, **more}
    return judged(command, files, committed=tuple(files)).effect


@for_each(
    ("text", "command"),
    [
        (SITE, "ansible-playbook site.yml"),
        (SITE, "ansible-playbook -i localhost, -c local --diff -v -t render site.yml"),
        (SITE.replace("  connection: local\n", ""), "ansible-playbook site.yml"),
        (SITE.replace("hosts: localhost", "hosts: 127.0.0.1"), "ansible-playbook site.yml"),
        (HEAD + BUILD + CLEAN, "ansible-playbook site.yml"),
        (
            HEAD + "    - block:\n      - copy: {content: a, dest: build/a}\n      rescue:\n"
            "      - shell: {cmd: touch b, chdir: build}\n",
            "ansible-playbook site.yml",
        ),
    ],
)
def test_a_playbook_that_stays_in_the_project_needs_nobody(text, command):
    assert effect(text, command) == "allow"


LOOP = (
    HEAD.replace("  vars: {out: build}\n", "  vars_files: [vars/local.yml]\n")
    + "    - file: {path: '{{ item }}', state: absent}\n      loop: '{{ stale }}'\n"
)
LISTED = {"vars/local.yml": "stale: ['{{ playbook_dir }}/build/a', /tmp/shop-render]\n"}


@for_each(
    ("text", "more"),
    [
        (LOOP, LISTED),
        (LOOP.replace("'{{ stale }}'", "[build/a, build/b]"), LISTED),
        (
            SITE.replace("build/cache", "'{{ item }}'").replace(
                "absent}", "absent}\n      loop: [build/a]"
            ),
            {},
        ),
    ],
)
def test_files_of_variables_and_loops_over_known_lists_are_followed(text, more):
    assert effect(text, **more) == "allow"


@for_each(
    ("text", "more"),
    [
        (LOOP, {"vars/local.yml": "stale: [build/a, /srv/shop]\n"}),
        (LOOP, {"vars/local.yml": "stale: [\"{{ lookup('env', 'HOME') }}/photos\"]\n"}),
        (LOOP, {"vars/local.yml": "stale: ['{{ home }}/photos']\n"}),
        (LOOP, {"vars/local.yml": "stale: [build/a]\nansible_host: web1\n"}),
        (LOOP, {}),
        (LOOP.replace("vars/local.yml", "'{{ env }}.yml'"), LISTED),
        (LOOP.replace("vars/local.yml", "/srv/vars.yml"), LISTED),
        (LOOP + "    - set_fact: {stale: [/srv/shop]}\n", LISTED),
        (LOOP.replace("'{{ stale }}'", "'{{ stale + more }}'"), LISTED),
        (LOOP.replace("'{{ stale }}'", "[build/a, {x: y}]"), LISTED),
        (LOOP + "      loop_control: {loop_var: other}\n      vars: {item: build}\n", LISTED),
        (LOOP.replace("hosts: localhost", "hosts: web"), LISTED),
        (LOOP.replace("'{{ stale }}'", "'{{ unknown }}'"), {"vars/local.yml": "item: build/a\n"}),
    ],
)
def test_a_list_that_leads_outside_or_is_not_known_asks(text, more):
    assert effect(text, **more) == "junction"


def task(line):
    return f"{SITE}    - {line}\n"


@for_each(
    "text",
    [
        SITE.replace("hosts: localhost", "hosts: web"),
        SITE.replace("hosts: localhost", "hosts: localhost,web"),
        SITE.replace("hosts: localhost", "hosts: '{{ target }}'"),
        SITE.replace("connection: local", "connection: ssh"),
        SITE.replace("  vars: {out: build}\n", "  become: true\n  vars: {out: build}\n"),
        SITE.replace("{out: build}", "{out: build, ansible_host: web1}"),
        SITE.replace("{out: build}", "{out: ../../shared}"),
        SITE.replace("{out: build}", "{out: \"{{ lookup('pipe', './rollout') }}\"}"),
        SITE.replace("build/cache", "/srv/shop"),
        SITE.replace("build/cache", "~/notes"),
        SITE.replace("build/cache", "{{ place }}"),
        SITE + "- hosts: web\n  tasks:\n    - ping:\n",
        SITE + "- import_playbook: web.yml\n",
        SITE + "  roles: [shop]\n",
        task("command: kubectl delete ns shop"),
        task("shell: make build; ./rollout"),
        task("command: make deploy"),
        task("apt: {name: nginx, state: absent}"),
        task("amazon.aws.ec2_instance: {state: absent}"),
        task("community.general.copy: {dest: a}"),
        task("include_tasks: more.yml"),
        task("uri: {url: 'https://api.shop.example', method: DELETE}"),
        task("file: {path: /srv/x, state: absent}\n      delegate_to: web1"),
        task("file: {path: x, state: absent}\n      become: true"),
        task("command: ls\n      environment: {PATH: ./bin}"),
        task("add_host: {name: localhost, ansible_host: web1}"),
        task("{bad"),
        task("set_fact: {out: /srv/shop}"),
        task("ansible.builtin.set_fact: out=/srv/shop"),
        task("command: cat x\n      register: out"),
        task("debug: {msg: a}\n      loop: [/srv]\n      loop_control: {loop_var: out}"),
        task("block:\n      - set_fact: {out: /srv/shop}"),
        task('shell: "rm -rf {{ found }}"'),
        "",
    ],
)
def test_a_playbook_that_may_do_more_needs_a_person(text):
    assert effect(text) == "junction"


@for_each(
    "command",
    [
        "ansible-playbook -i hosts.ini site.yml",
        "ansible-playbook -e ansible_host=web1 site.yml",
        "ansible-playbook -b site.yml",
        "ansible-playbook -c ssh site.yml",
        "ansible-playbook -i localhost, -i hosts.ini site.yml",
        "ANSIBLE_INVENTORY=hosts.ini ansible-playbook site.yml",
        "export ANSIBLE_CONFIG=x.cfg; ansible-playbook site.yml",
        "ansible-playbook site.yml web.yml",
        "ansible-playbook $BOOK",
        "mkdir host_vars; echo 'ansible_host: web1' > host_vars/localhost.yml; ansible-playbook site.yml",
        "cp web.cfg ansible.cfg; ansible-playbook site.yml",
        "ln -s web.cfg ansible.cfg; ansible-playbook site.yml",
        "tar xf settings.tar; ansible-playbook site.yml",
        "echo '- hosts: web' > site.yml; ansible-playbook site.yml",
    ],
)
def test_a_line_that_may_lead_it_elsewhere_needs_a_person(command):
    assert effect(SITE, command, **{"web.yml": "- hosts: web\n"}) == "junction"


@for_each(
    "name",
    [
        "ansible.cfg",
        "host_vars/localhost.yml",
        "group_vars/web.yml",
        "group_vars/all/main.yml",
        "library/file.py",
        "action_plugins/x.py",
        "/home/ann/.ansible.cfg",
        "/home/ann/.ansible/plugins/modules/file.py",
        "/etc/ansible/hosts",
    ],
)
def test_a_file_that_may_say_what_localhost_is_needs_a_person(name):
    assert effect(SITE, **{name: "x: 1\n"}) == "junction"


def test_a_template_that_runs_a_program_needs_a_person():
    assert effect(SITE, **{"app.conf.j2": "{{ lookup('pipe', './rollout') }}\n"}) == "junction"
    assert effect(SITE.replace("app.conf.j2", "other.j2")) == "junction"


FROM_HERE = HEAD + (
    "    - template:\n        src: \"{{ lookup('env', 'PWD') }}/app.conf.j2\"\n        dest: /tmp/app.conf\n"
    "    - debug:\n        msg: \"{{ lookup('file', '/tmp/app.conf') }}\"\n"
)
WRITTEN = "cat > /tmp/site.yml <<'E'\n{}E\nansible-playbook -i localhost, /tmp/site.yml"


def test_a_playbook_that_the_line_writes_is_judged_like_one_on_the_disk():
    more = {"inventory/hosts.ini": "web1\n"}
    for line in (WRITTEN, WRITTEN.replace("cat > /tmp/site.yml", "tee /tmp/site.yml >/dev/null")):
        assert effect(SITE, line.format(FROM_HERE), **more) == "allow"
        for remote in ("web", "all", "localhost,web"):
            text = FROM_HERE.replace("hosts: localhost", f"hosts: {remote}")
            assert effect(SITE, line.format(text), **more) == "junction"


@for_each(
    "line",
    [
        WRITTEN.format(FROM_HERE.replace("'/tmp/app.conf'", "'~/.ssh/id_rsa'")),
        WRITTEN.format(FROM_HERE.replace("'/tmp/app.conf'", "'/home/ann/.ssh/id_rsa'")),
        WRITTEN.format(FROM_HERE.replace("'/tmp/app.conf'", "'/tmp/../home/ann/.netrc'")),
        WRITTEN.format(FROM_HERE.replace("'/tmp/app.conf'", "'/home/ann/shop/.env'")),
        WRITTEN.format(FROM_HERE.replace("'/tmp/app.conf'", "'{{ secret }}'")),
        WRITTEN.format(FROM_HERE.replace("lookup('file'", "lookup('pipe'")),
        WRITTEN.format(FROM_HERE.replace("lookup('file', ", "lookup('file', 'a', ")),
        WRITTEN.format(FROM_HERE.replace("dest: /tmp/app.conf", "dest: /etc/nginx/app.conf")),
        WRITTEN.format(FROM_HERE.replace("'PWD'", "'CONFIG'")),
        "PWD=/srv/x; " + WRITTEN.format(FROM_HERE),
        WRITTEN.format(FROM_HERE).replace("-i localhost,", "-i inventory"),
        WRITTEN.format(FROM_HERE).replace("-i localhost, ", ""),
        WRITTEN.format(FROM_HERE + "    - command: \"{{ lookup('file', '/tmp/app.conf') }}\"\n"),
        "cp x.cfg ansible.cfg; " + WRITTEN.format(FROM_HERE),
        WRITTEN.format(FROM_HERE).replace("\nansible", "\ncp web.yml /tmp/site.yml\nansible"),
    ],
)
def test_a_written_playbook_that_looks_up_or_reaches_more_needs_a_person(line):
    more = {"inventory/hosts.ini": "web1\n", ".env": "K=1\n", "web.yml": "- hosts: web\n"}
    assert effect(SITE, line, **more) != "allow"


EVERYWHERE = (
    "- hosts: all\n  become: false\n  tasks:\n    - file: {path: '{{ place }}', state: absent}\n"
    "    - command: python3 -m venv {{ place }}/venv\n      args: {creates: '{{ place }}/venv/bin/python'}\n"
)
HERE = "ansible-playbook -c local -i localhost, site.yml"
GROUP = {"group_vars/all.yml": "place: '{{ playbook_dir }}/.runner'\nowners: []\n"}


@for_each(
    ("text", "command"),
    [
        (EVERYWHERE, HERE),
        (EVERYWHERE, "ansible-playbook --connection=local --inventory=localhost, site.yml"),
        (EVERYWHERE.replace("hosts: all", "hosts: localhost"), "ansible-playbook site.yml"),
        (f"{EVERYWHERE}    - command: ssh-keygen -q -N '' -f {{{{ place }}}}/id\n", HERE),
    ],
)
def test_a_playbook_for_all_machines_is_for_this_one_where_the_line_names_no_other(text, command):
    assert effect(text, command, **GROUP) == "allow"


@for_each(
    ("text", "command", "more"),
    [
        (EVERYWHERE, "ansible-playbook -i localhost, site.yml", {}),
        (EVERYWHERE, "ansible-playbook -c local site.yml", {}),
        (EVERYWHERE, HERE.replace("localhost,", "web1,"), {}),
        (EVERYWHERE, f"{HERE} -e place=/srv", {}),
        (EVERYWHERE, f"cp app.conf.j2 group_vars/all.yml && {HERE}", {}),
        (EVERYWHERE.replace("false", "true"), HERE, {}),
        (EVERYWHERE, HERE, {"group_vars/all.yml": "place: /srv/shop\n"}),
        (EVERYWHERE, HERE, {"group_vars/all.yml": "place: x\nansible_host: web1\n"}),
        (EVERYWHERE, HERE, {"group_vars/all.yml": "place: x\nansible_become: true\n"}),
        (EVERYWHERE, HERE, {"group_vars/all.yml": "place: \"{{ lookup('pipe', 'x') }}\"\n"}),
        (EVERYWHERE, HERE, {"group_vars/local.yml": "place: /srv/shop\n"}),
        (EVERYWHERE, HERE, {"host_vars/localhost.yml": "place: /srv/shop\n"}),
        (EVERYWHERE.replace("venv\n      args: {", "venv\n      args: {chdir: /srv, "), HERE, {}),
        (f"{EVERYWHERE}    - authorized_key: {{user: root, key: x}}\n", HERE, {}),
        (f"{EVERYWHERE}    - user: {{name: operator}}\n", HERE, {}),
        (f"{EVERYWHERE}    - copy: {{dest: /etc/sudoers.d/x, content: y}}\n", HERE, {}),
    ],
)
def test_a_playbook_that_may_be_for_others_or_for_more_needs_a_person(text, command, more):
    assert effect(text, command, **{**GROUP, **more}) == "junction"


TASKS = (
    "- name: folder\n  file: {path: '{{ playbook_dir }}/../{{ out }}', state: directory}\n"
    "- name: unit\n  template: {src: a.j2, dest: '{{ playbook_dir }}/../{{ out }}/a.mount'}\n"
)
CFG = "[defaults]\ninventory = hosts/here.ini\nroles_path = parts\nstdout_callback = yaml\n"
HOSTS = "# here\n[disks]\nlocalhost ansible_connection=local\n\n[disks:vars]\ndevice=/dev/vdb\n"
IN_ROLES = "- hosts: disks\n  become: false\n  gather_facts: false\n  roles:\n    - role: units\n"


def with_roles(cfg=CFG, hosts=HOSTS, tasks=TASKS, play=IN_ROLES, **more):
    return {
        "plays/site.yml": play,
        "ansible.cfg": cfg,
        "hosts/here.ini": hosts,
        "parts/units/tasks/main.yml": tasks,
        "parts/units/defaults/main.yml": "out: build/units\n",
        "parts/units/templates/a.j2": "What={{ device }}\n",
        **{name.replace("__", "/") + ".yml": text for name, text in more.items()},
    }


RUN = "ansible-playbook plays/site.yml"
NO_SETTINGS = {k: v for k, v in with_roles().items() if k != "ansible.cfg"}


@for_each(
    ("command", "files"),
    [
        (RUN, with_roles()),
        (RUN, with_roles(play=IN_ROLES.replace("- role: units", "- units"))),
        (RUN, with_roles(play=IN_ROLES.replace("disks", "all"))),
        (
            "ansible-playbook -i hosts/here.ini plays/site.yml",
            with_roles(CFG.replace("here", "far")),
        ),
        (
            "ansible-playbook -i hosts/here.ini plays/site.yml",
            with_roles("[defaults]\nroles_path=parts"),
        ),
    ],
)
def test_roles_for_groups_of_this_machine_alone_need_nobody(command, files):
    assert judged(command, files, committed=tuple(files)).effect == "allow"


def hosts(line):
    return with_roles(hosts=HOSTS.replace("localhost ansible_connection=local", line))


@for_each(
    ("command", "files"),
    [
        (RUN, hosts("localhost")),  # by SSH, and there it may be another one
        (RUN, hosts("web1 ansible_connection=local")),
        (RUN, hosts("localhost ansible_connection=local\nweb1")),
        (RUN, hosts("localhost ansible_connection=local ansible_host=web1")),
        (RUN, hosts("localhost ansible_connection=local\nweb[1:9]")),
        (RUN, with_roles(hosts=f"{HOSTS}ansible_become=true\n")),
        (RUN, with_roles(hosts=f"{HOSTS}out=../../units\n")),
        (
            RUN,
            with_roles(hosts=f"{HOSTS}[b]\nlocalhost ansible_connection=local out=a out=../../b\n"),
        ),
        (RUN, with_roles(hosts__group_vars__disks="out: /srv\n")),
        (RUN, with_roles(cfg=f"{CFG}[privilege_escalation]\nbecome = True\n")),
        (RUN, with_roles(cfg=f"{CFG}library = ./modules\n")),
        (RUN, with_roles(cfg=f"{CFG}remote_user = ops\n")),
        (RUN, with_roles(cfg=CFG.replace("here.ini", "here.ini,hosts/far.ini"))),
        (RUN, with_roles(cfg=CFG.replace("hosts/here.ini", "$INVENTORY"))),
        (RUN, NO_SETTINGS),
        ("ansible-playbook -i hosts/far.ini plays/site.yml", with_roles()),
        ("ansible-playbook -i web1, plays/site.yml", with_roles()),
        ("ansible-playbook -i hosts/here.ini -i hosts/far.ini plays/site.yml", with_roles()),
        ("ANSIBLE_CONFIG=far.cfg ansible-playbook plays/site.yml", with_roles()),
        (f"cp far.ini hosts/here.ini; {RUN}", with_roles()),
        (f"sed -i s/build/x/ parts/units/defaults/main.yml; {RUN}", with_roles()),
        (RUN, with_roles(play=IN_ROLES.replace("role: units", "{role: units, out: /srv}"))),
        (RUN, with_roles(play=IN_ROLES.replace("role: units", "role: shop.units"))),
        (RUN, with_roles(play=IN_ROLES.replace("become: false", "become: true"))),
        (RUN, with_roles(tasks=TASKS.replace("{{ out }}", "../shared"))),
        (
            RUN,
            with_roles(tasks=f"{TASKS}- filesystem: {{dev: /dev/vdb, fstype: xfs, force: true}}\n"),
        ),
        (RUN, with_roles(tasks=f"{TASKS}- set_fact: {{out: ../..}}\n")),
        (RUN, with_roles(tasks=f"{TASKS}- include_tasks: more.yml\n")),
        (RUN, with_roles(tasks=f"{TASKS}- command: kubectl delete ns shop\n")),
        (RUN, with_roles(parts__units__handlers__main="[]\n")),
        (RUN, with_roles(parts__units__vars__main="out: /srv\n")),
        (RUN, with_roles(parts__units__meta__main="dependencies: [wipe]\n")),
        (RUN, with_roles(parts__units__tasks__Debian="[]\n")),
        (RUN, with_roles(plays__roles__units__tasks__main="- command: ./rollout\n")),
    ],
)
def test_roles_that_may_reach_more_need_a_person(command, files):
    assert judged(command, files, committed=tuple(files)).effect == "junction"
