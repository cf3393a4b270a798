"""Modes that let everybody write, in loops over paths of the system."""

from __future__ import annotations

from tests.tables import for_each

from operators_edge.shell.code.opened_paths import opened_by

OPENED = {
    "PHP": (
        "$d = [\n    '/etc/nginx',\n    getenv('HOME').'/.ssh',\n];\nforeach ($d as $f) chmod($f, 0777);",
        ["/etc/nginx", "~/.ssh"],
    ),
    "Ruby": ("%w[/srv/app /var/log].each { |d| FileUtils.chmod_R(0o777, d) }", ["/var/log"]),
    "Node": ("for (const d of ['/opt/app']) fs.chmodSync(d, 0o777)", ["/opt/app"]),
    "Node by a text": (
        "const dirs = ['/usr/local/lib'];\nfs.chmodSync(d, '777')",
        ["/usr/local/lib"],
    ),
    "Python by a number": ("for d in ['/etc/ssl']:\n    os.chmod(d, 511)", ["/etc/ssl"]),
    "Perl": ("my @d = ('/var/www');\nchmod 0666, $_ for @d;", ["/var/www"]),
    "Go": ('roots := []string{"/etc/app"}\nos.Chmod(path, 0o777)', ["/etc/app"]),
    "by name": (
        'Path p = Path.of("/etc/app");\nFiles.setPosixFilePermissions(p, fromString("rwxrwxrwx"))',
        ["/etc/app"],
    ),
    "spelled out": ("chmod('/etc/app', 0777);", ["/etc/app"]),
}
KEPT = {
    "for the group": "$roots = ['/var/www'];\nforeach ($it as $f) { chmod($f, 0775); }",
    "in the project": "$roots = [dirname(__DIR__).'/storage'];\nforeach ($it as $f) { chmod($f, 0777); }",
    "for its owner": "for (const d of ['/opt/app']) fs.chmodSync(d, 0o600)",
    "only read": "$hosts = file_get_contents('/etc/hosts');\nchmod($socket, 0777);",
    "no mode": "const dirs = ['/etc'];\nlist(dirs)",
}


@for_each(("code", "paths"), OPENED.values(), OPENED)
def test_what_opens_paths_of_the_system_for_everybody_is_a_command(code, paths):
    found = [one.command.removeprefix("chmod 777 ") for one in opened_by(code)]
    assert set(paths) <= set(found)


@for_each("code", KEPT.values(), KEPT)
def test_other_modes_and_other_paths_are_none(code):
    assert list(opened_by(code)) == []


def test_the_call_is_where_it_is_shown():
    code = "roots = ['/etc/app']\nfor d in roots:\n    os.chmod(d, 0o777)"
    assert [code[one.position :][:5] for one in opened_by(code)] == ["chmod"]


@for_each(
    "code",
    [
        'CASES = [("chmod -R 777 /", "block"), ("ls /etc", "allow")]\n',
        "doc = 'chmod 777 is never right'\npath = '/etc/nginx'\n",
        'run(["chmod", "644", "/etc/nginx"])\n',
        "os.chmod('/etc/nginx', 0o644)\n",
    ],
)
def test_a_text_with_such_a_command_opens_nothing(code):
    assert list(opened_by(code)) == []
