"""Calls of libraries count as the program that does the same, if the code names the library."""

# ruff: noqa: E501 - texts of programs
from __future__ import annotations

from tests.tables import for_each

from operators_edge.shell.code.languages import NODE, PHP, RUBY
from operators_edge.shell.code.programs import ProgramReader

LANGUAGES = {"js": NODE, "rb": RUBY, "php": PHP}


def words(ending, code):
    return [one.words for one in ProgramReader(LANGUAGES[ending], ending).calls(code) if one.words]


@for_each(
    ("ending", "code", "expected"),
    [
        ("js", "const g = require('simple-git')();\ng.push(['--force', 'origin', 'main']);\n", ("git", "push", "--force", "origin", "main")),
        ("js", "const g = require('simple-git')();\ng.push('origin', 'main');\n", ("git", "push", "origin", "main")),
        ("js", "const g = require('simple-git')();\ng.clean('fd');\n", ("git", "clean", "-fd")),
        ("js", "const g = require('simple-git')();\ng.raw(['stash', 'drop']);\n", ("git", "stash", "drop")),
        ("rb", "require 'git'\nGit.open('.').push('origin', 'main', force: true)\n", ("git", "push", "--force", "origin", "main")),
        ("js", "const { NodeSSH } = require('node-ssh');\nssh.connect({ host: 'a.example.com' });\nssh.execCommand('reboot');\n", ("ssh", "a.example.com", "reboot")),
        ("js", "const C = require('ssh2-sftp-client');\nc.connect({ host: 'a.example.com' });\nc.rmdir('/srv/a', true);\n", ("ssh", "a.example.com", "rm -rf /srv/a")),
        ("js", "const AWS = require('aws-sdk');\nconst e = new AWS.EC2();\ne.terminateInstances({});\n", ("aws", "ec2", "terminate-instances")),
        ("js", "const { Storage } = require('@google-cloud/storage');\ns.bucket('a').deleteFiles();\n", ("gsutil", "-m", "rm", "-r", "gs://bucket")),
        ("js", "const admin = require('firebase-admin');\nadmin.auth().deleteUsers(['a']);\n", ("firebase", "firestore:delete", "--recursive", "x")),
        ("js", "const a = require('@pulumi/pulumi/automation');\nawait stack.up({});\n", ("pulumi", "up", "--yes")),
        ("js", "const D = require('dockerode');\nd.pruneVolumes();\n", ("docker", "volume", "prune", "-f")),
        ("js", "const { createClient } = require('@supabase/supabase-js');\nconst s = createClient('https://a.supabase.co', k);\ns.from('u').delete();\n", ("curl", "-X", "DELETE", "https://a.supabase.co/rest/v1/x")),
        ("php", "<?php\nuse Symfony\\Component\\Filesystem\\Filesystem;\n$f->remove('/srv/a');\n", ("rm", "-rf", "/srv/a")),
        ("php", "<?php\nuse Symfony\\Component\\Process\\Process;\n$p = new Process(['rm', '-rf', '/srv/a']);\n", ("rm", "-rf", "/srv/a")),
        ("php", "<?php\n$c = curl_init('https://a.example.com/u');\ncurl_setopt($c, CURLOPT_CUSTOMREQUEST, 'DELETE');\n", ("curl", "-X", "DELETE", "https://a.example.com/u")),
        ("js", "const spawn = require('cross-spawn');\nspawn.sync('terraform', ['destroy']);\n", ("terraform", "destroy")),
        ("js", "import { deleteAsync } from 'del';\nawait deleteAsync(['/srv/a']);\n", ("rm", "-rf", "/srv/a")),
    ],
)  # fmt: skip
def test_a_call_of_a_library_is_the_words_of_its_program(ending, code, expected):
    assert expected in words(ending, code)


@for_each(
    ("ending", "code"),
    [
        ("js", "stack.push(['--force', 'origin']);\nlist.clean('fd');\n"),
        ("js", "const g = require('simple-git')();\ng.status();\ng.log(['--oneline']);\n"),
        ("js", "const D = require('dockerode');\nd.listContainers();\n"),
        ("js", "const { createClient } = require('@supabase/supabase-js');\nconst s = createClient('http://localhost:54321', k);\ns.from('u').delete();\n"),
        ("js", "class Run { execCommand(x) { return x; } }\nnew Run().execCommand('rm -rf /srv/a');\n"),
        ("php", "<?php\n$list->remove('/srv/a');\n"),
        ("php", "<?php\n$c = curl_init('https://a.example.com/u');\ncurl_setopt($c, CURLOPT_TIMEOUT, 5);\n"),
    ],
)  # fmt: skip
def test_a_call_of_the_same_name_without_the_library_is_none(ending, code):
    assert words(ending, code) == []


def test_the_mark_at_the_end_of_a_method_of_ruby_is_part_of_its_name():
    code = "require 'net/ssh'\nNet::SSH.start('a.example.com', 'b') { |s| s.exec!('reboot') }\n"
    assert ("ssh", "a.example.com", "reboot") in words("rb", code)


def test_a_method_with_the_name_of_a_package_deletes_no_file():
    code = "const app = require('..');\nrequest(app).del('/srv/a').expect(200);\n"
    assert words("js", code) == []


def test_php_may_name_a_function_by_its_namespace():
    assert words("php", "<?php\n\\mail('ann@example.com', 'x', 'y');\n") != []


DISK = "<?php\nuse Illuminate\\Support\\Facades\\Storage;\n{}\n"
IN_BUCKETS = ("aws", "s3", "rm", "--recursive", "s3://bucket")


@for_each(
    ("code", "is_far"),
    [
        ("Storage::disk('s3')->deleteDirectory('/');", True),
        ("Storage::disk('backups')->delete($files);", True),
        ("Storage::cloud()->delete('a');", True),
        ("$disk = Storage::drive('gcs');\n$disk->delete('a');", True),
        ("Storage::disk('local')->deleteDirectory('a');", False),
        ("Storage::disk('public')->delete('a');", False),
        ("Storage::disk('s3')->put('a', 'b');", False),
        ("Storage::fake('s3');\nStorage::disk('s3')->delete('a');", False),
    ],
)
def test_a_disk_of_laravel_is_a_bucket_unless_its_name_says_that_it_is_a_folder(code, is_far):
    assert (IN_BUCKETS in words("php", DISK.format(code))) == is_far
