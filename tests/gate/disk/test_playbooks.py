"""A check of a playbook changes nothing, but for the tasks that run in check mode, too."""

from tests.gate.example_project import ROOT, Machine, judge
from tests.tables import for_each

CHECK = "ansible-playbook --check play.yml"


def play(task, hosts="web"):
    lines = "\n".join(f"    {line}" for line in task.strip().split("\n"))
    return f"- hosts: {hosts}\n  become: true\n  tasks:\n{lines}\n"


def judged(command, **files):
    named = {f"{ROOT}/{name.replace('__', '/')}.yml": text for name, text in files.items()}
    return judge(command, Machine(named))


CHANGES = [
    "- name: a\n  ansible.builtin.shell: |\n    rm -rf /var/cache/nginx/*\n  check_mode: false",
    "- command: systemctl restart nginx\n  check_mode: no",
    "- check_mode: false\n  ansible.builtin.service:\n    name: nginx\n    state: restarted",
    "- block:\n    - shell: reboot\n  check_mode: false",
    "- shell:\n    cmd: systemctl stop nginx\n  check_mode: false",
    "- shell: rm -rf /srv/app\n  changed_when: false\n  check_mode: false",
    "- uri:\n    url: https://api.example.com/x\n    method: DELETE\n  check_mode: false",
    "- apt:\n    name: nginx\n  check_mode: false",
]


@for_each("task", CHANGES)
def test_a_task_that_a_check_runs_all_the_same_is_asked_about(task):
    assert judged(CHECK, play=play(task)).effect != "allow"
    assert judged("ansible-playbook play.yml -C --diff", play=play(task)).effect != "allow"
    assert judged("ansible-playbook --syntax-check play.yml", play=play(task)).effect == "allow"


HARMLESS = [
    "- command: nginx -v\n  changed_when: false\n  check_mode: false",
    "- command: git rev-parse HEAD\n  register: head\n  check_mode: false",
    "- stat:\n    path: /etc/x\n  check_mode: false",
    "- package_facts:\n  check_mode: false",
    "- shell: rm -rf /srv/app",
    "- uri:\n    url: https://api.example.com/x\n  check_mode: false",
    "- set_fact:\n    a: b\n  check_mode: false\n- service:\n    name: nginx\n    state: restarted",
]


@for_each("task", HARMLESS)
def test_a_task_that_only_asks_or_is_skipped_needs_nobody(task):
    assert judged(CHECK, play=play(task)).effect == "allow"


ROLE = "- shell: rm -rf /srv/app\n  check_mode: false\n"


def test_the_roles_and_files_of_a_playbook_count():
    with_role = "- hosts: web\n  roles:\n    - nginx\n"
    assert judged(CHECK, play=with_role, roles__nginx__tasks__main=ROLE).effect != "allow"
    assert judged(CHECK, play=with_role, roles__other__tasks__main=ROLE).effect == "allow"
    included = play("- include_tasks: more.yml")
    assert judged(CHECK, play=included, more=ROLE).effect != "allow"


def test_what_a_task_runs_on_this_machine_is_judged_as_a_line():
    task = "- command: ls -la\n  check_mode: false"
    assert judged(CHECK, play=play(task, hosts="localhost")).effect == "allow"
    task = "- command: rm -rf /home/ann/photos\n  check_mode: false"
    assert judged(CHECK, play=play(task, hosts="localhost")).effect != "allow"
