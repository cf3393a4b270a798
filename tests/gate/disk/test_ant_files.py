"""Targets of Ant are judged by what a run of them deletes and starts."""

# ruff: noqa: E501 - texts of files
from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each


def ant(body, cmd="ant wipe", pre=""):
    """A run of a file with such a target, and another one that only compiles."""
    text = (
        f'<project name="x" default="wipe">\n{pre}<target name="wipe">\n{body}\n</target>\n'
        '<target name="compile"><javac srcdir="src"/></target>\n</project>\n'
    )
    return cmd, {"build.xml": text}


DANGEROUS = {
    "dir": ant('<delete dir="${user.home}/Documents"/>'),
    "whole": ant('<delete dir="${user.home}"/>'),
    "env": ant('<delete dir="${e.HOME}/Documents"/>', pre='<property environment="e"/>'),
    "prop": ant(
        '<delete dir="${data}"/>', pre='<property name="data" location="${user.home}/data"/>'
    ),
    "prop2": ant(
        '<delete dir="${data}"/>',
        pre='<property name="base" value="/srv/shop"/>\n<property name="data" value="${base}/data"/>',
    ),
    "-D": ant('<delete dir="${data}"/>', cmd="ant -Ddata=/srv/shop wipe"),
    "fileset": ant(
        '<delete includeemptydirs="true">\n  <fileset dir="${user.home}/Documents" includes="**/*"/>\n</delete>'
    ),
    "file": ant('<delete file="${user.home}/.ssh/id_rsa"/>'),
    "abs": ant('<delete dir="/srv/data"/>'),
    "single quotes": ant("<delete dir='${user.home}/Documents'/>"),
    "arg file": ant('<exec executable="bash"><arg file="wipe.sh"/></exec>'),
    "arg path": ant('<exec executable="bash"><arg path="wipe.sh"/></exec>'),
    "input": ant('<exec executable="bash" input="wipe.sh"/>'),
    "inputstring": ant('<exec executable="sh" inputstring="rm -rf ~/Documents"/>'),
    "args": ant(
        '<exec executable="git" failonerror="true">\n  <arg value="push"/>\n  <arg value="--force"/>\n  <arg value="origin"/>\n  <arg value="main"/>\n</exec>'
    ),
    "line": ant('<exec executable="git"><arg line="push --force origin main"/></exec>'),
    "default": ant('<delete dir="${user.home}/Documents"/>', cmd="ant"),
    "depends": (
        "ant all",
        {
            "build.xml": '<project><target name="all" depends="a, wipe"/><target name="a"/><target name="wipe"><delete dir="${user.home}/Documents"/></target></project>'
        },
    ),
    "antcall": (
        "ant all",
        {
            "build.xml": '<project><target name="all"><antcall target="wipe"/></target><target name="wipe"><delete dir="${user.home}/Documents"/></target></project>'
        },
    ),
    "top level": (
        "ant compile",
        {
            "build.xml": '<project><delete dir="${user.home}/Documents"/><target name="compile"/></project>'
        },
    ),
    "-f": (
        "ant -f other.xml wipe",
        {
            "other.xml": '<project><target name="wipe"><delete dir="${user.home}/Documents"/></target></project>'
        },
    ),
    "all of home": ant(
        '<delete><fileset dir="${user.home}/Documents"><include name="**/*"/></fileset></delete>'
    ),
    "some of home": ant(
        '<delete><fileset dir="${user.home}/Documents" includes="**/*.txt"/></delete>'
    ),
    "spaces": ant('<delete dir="${user.home}/My Documents"/>'),
    "two": ant('<delete dir="build"/><delete dir="${user.home}/Documents"/>'),
}
HARMLESS = {
    "build": ant('<delete dir="build"/>'),
    "prop": ant(
        '<delete dir="${build.dir}"/>', pre='<property name="build.dir" location="build"/>'
    ),
    "basedir": ant('<delete dir="${basedir}/build"/>'),
    "other target": ant('<delete dir="${user.home}/Documents"/>', cmd="ant compile"),
    "unknown": ant('<delete dir="${build.dir}"/>', pre='<property file="build.properties"/>'),
    "comment": ant('<!-- <delete dir="${user.home}/Documents"/> --><delete dir="build"/>'),
    "exec": ant('<exec executable="git"><arg line="status"/></exec>'),
    "fileset": ant('<delete><fileset dir="." includes="**/*~"/></delete>'),
    "nested": ant('<delete><fileset dir="."><include name="**/*.log"/></fileset></delete>'),
    "exec in": ant('<exec executable="sort" input="wipe.sh"/>'),
    "javac": ant(
        '<mkdir dir="build"/><javac srcdir="src" destdir="build"/><jar destfile="build/a.jar" basedir="build"/>'
    ),
    "uninstall other": (
        "ant",
        {
            "build.xml": '<project default="jar"><target name="jar"><jar destfile="a.jar"/></target><target name="uninstall"><delete dir="${user.home}/.x"/></target></project>'
        },
    ),
}


def effect(command, files):
    files = {"wipe.sh": "rm -rf ~/Documents\n", **files}
    return judged(command, files, committed=tuple(files), ignored=("/home/ann/shop/build",)).effect


@for_each(("command", "files"), DANGEROUS.values(), DANGEROUS)
def test_what_a_target_loses_asks(command, files):
    assert effect(command, files) in {"junction", "block"}


@for_each(("command", "files"), HARMLESS.values(), HARMLESS)
def test_what_a_target_makes_again_or_another_one_loses_does_not(command, files):
    assert effect(command, files) == "allow"


# end of module
