"""Whether a command ends processes that the agent did not start.

Owns how processes are chosen (by name, user, port, file or a listing that feeds ``kill``), and the names and
ports that many share. Does not own the rules (``packs/system.toml``). Pure: which processes there are is not
asked.
"""

from __future__ import annotations

import os.path
import re

from operators_edge.gate.invocation import find_flags
from operators_edge.shell.code.languages import INTERPRETERS
from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import found_in, pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from operators_edge.gate.invocation import Invocation
    from operators_edge.gate.paths import CallContext
    from operators_edge.shell.commands import Command

_RUNTIMES = (
    r"python[\d.]*|node(js)?|deno|bun|java|ruby|perl|php(-fpm)?|dotnet|mono|beam\.smp"
    r"|(ba|z|fi|da|k|tc)?sh|login"
)
_SERVICES = (
    r"sshd?|ssh-agent|gpg-agent|postgres|postmaster|mysqld?(_safe)?|mariadbd?|mongo[ds]|redis-server|memcached"
    r"|elasticsearch|opensearch|rabbitmq-server|kafka|zookeeper|cassandra|neo4j|influxd|clickhouse(-server)?"
    r"|nginx|apache2?|httpd|caddy|haproxy|envoy|traefik|gunicorn|uwsgi|celery|sidekiq|puma|unicorn|tomcat\d*"
    r"|jboss|wildfly|docker\w*|containerd[\w-]*|com\.docker\.\w+|docker desktop|podman|kubelet|k3s|etcd"
    r"|consul|vault|minio|nomad|ollama|prometheus|grafana(-server)?|jenkins|gitlab-runner|supervisord|pm2|openvpn"
    r"|wg-quick|tailscaled|cloudflared|cups\w*|crond?|atd|rsyslogd|auditd|chronyd|ntpd|dnsmasq|named|unbound"
    r"|libvirtd|qemu[\w-]*|VBoxHeadless|smbd|nfsd|postfix|dovecot|exim\d?|slapd|oracle|sqlservr|w3wp|tnslsnr|worker|server"
    r"|app|main"
)
_DESKTOP = (
    r"firefox|safari|msedge|code|cursor|electron|explorer|slack|teams|discord|spotify|zoom(\.us)?|thunderbird"
    r"|outlook|telegram(-desktop)?|signal(-desktop)?|obsidian|soffice(\.bin)?|libreoffice|winword|excel|n?vim|emacs"
    r"|idea\d*|pycharm\d*|webstorm\d*|goland\d*|rider\d*|clion\d*|xcode|pulseaudio|pipewire|wireplumber|gnome-\w+"
    r"|plasmashell|kwin\w*|mutter|sway|hyprland|i3|gdm\d?|sddm|lightdm|xorg|xwayland|windowserver|loginwindow|dwm"
)
_SYSTEM = (
    r"systemd[\w-]*|init|launchd|kernel_task|dbus[\w-]*|networkmanager|wpa_supplicant|dhclient|dhcpcd|udevd"
    r"|polkitd?|\w+-daemon|tmux(: server)?|screen|zellij|svchost|lsass|csrss|winlogon|services|smss|wininit"
    r"|spoolsv|claude|codex|gemini|opencode|aider|edge|operators[_-]edge"
)
_SHARED = rf"(?i)({_RUNTIMES}|{_SERVICES}|{_DESKTOP}|{_SYSTEM})(\.exe)?"
"""What many programs run under, what others use, and what this session runs in."""
_IN_LINES = r"(?i)(google-)?chrome|chromium(-\w+)?|python3? -m|/?(usr|home|bin|opt)/?|-"
"""Shared where a whole command line is searched. By their exact names, test browsers are ended every day."""
_IN_LINES_OF = r"(?i)claude|operators_edge|\.[*+]$"
_PORTS = (
    r"1433|1521|2379|2380|3306|3389|5432|5601|5672|5984|6379|6443|8086|8500|9042|9092|9200|9300|11211|15672|26257"
    r"|27017|\d{1,3}"
)
"""Ports of databases, queues and cluster services, and all below 1000."""
_SIGNALS_ONLY = (
    r"(^|\s)-(s\s*|-signal[= ])?(?i:SIG)?(?i:HUP|1|USR[12]|1[02]|CONT|18|WINCH|28|0|l|L)(\s|$)"
)
_BY_OWNER = (
    *("-u", "-U", "-g", "-G", "-t", "-v", "--euid", "--uid", "--user", "--group", "--pgroup"),
    *("--terminal", "--inverse"),
)
_BY_AGE = {
    "killall": ("-o", "-y", "--older-than", "--younger-than"),
    "pkill": ("-O", "--older"),
}
_BY_OTHERS = r"-[a-z]*[uUgGt]|--(euid|uid|group|pgroup|terminal|inverse)|-\w*v"
_IN_AWK = r"(?<![!\w])/((?:[^/\\]|\\.)+)/|[=~]\s*\"([^\"]+)\""
_FEEDS = pattern(r"\s*\|(?!\|)")
_LISTS_ALL = r"^-?([aAe]|\w*[aA]\w*x|\w*e)|^--ppid|^-[uU]|^--user"
_OF_SERVICES = frozenset(
    ("systemctl", "docker", "podman", "launchctl", "who", "w", "loginctl", "nvidia-smi", "top")
)
"""They list what a service manager, a container, a login or a device runs."""

_LISTINGS = frozenset(("fuser", "lsof", "netstat", "pgrep", "pidof", "ps", "ss"))
"""They list processes; what needs root to be ended is not one of the agent's own."""
_BY_PORT = ("kill-port", "kill-port-process", "killport", "fkill")
_CHOOSING = frozenset((*_BY_PORT, "fuser", "killall", "pkill"))
"""They look for the processes that they end."""


def ends_others(inv: Invocation, context: CallContext) -> bool:
    """Whether a command that ends processes chooses them by something that others have, too."""
    command = inv.command
    line = " ".join(word.text for word in command.argv[1:])
    if inv.program != "fuser" and found_in(_SIGNALS_ONLY, line):
        return False
    texts = [word.text for word in inv.operands]
    if inv.program == "kill":
        written = _as_written(command, context)
        is_known = all(word.is_known for word in written.argv) and not written.has_more_words
        return not is_known and _chosen_by_others(written, context)
    if (
        inv.program in _CHOOSING
        and _is_as_root(command)
        and (inv.program != "fuser" or _is_ending(inv))
    ):
        return True
    if inv.program in ("pkill", "killall"):
        is_line = bool(find_flags(inv, ["-f", "--full"])) and inv.program == "pkill"
        is_regex = is_line or bool(find_flags(inv, ["-r", "--regexp"]))
        # Children of a process are named by it; those of the client's own are not known.
        is_child = bool(inv.values(("-P", "--parent"))) and "PPID" not in context.text
        is_shared = not is_child and any(_is_shared(one, is_line=is_regex) for one in texts)
        return is_shared or _by_owner(inv)
    if inv.program in _BY_PORT:
        return any(_is_shared_port(port) for port in re.findall(r"(?<![\w-]):?(\d+)\b", line))
    if inv.program == "fuser":
        return _is_ending(inv) and _uses_shared(inv, line, context)
    return _named_on_windows(line)


def _is_ending(fuser: Invocation) -> bool:
    return bool(find_flags(fuser, ["-k", "--kill"]))


def _is_as_root(command: Command) -> bool:
    return not {"sudo", "doas"}.isdisjoint(command.through)


def _is_shared(pattern: str, *, is_line: bool) -> bool:
    """Whether a name or pattern names something that others use; in a whole command line it finds more."""
    if HOLE in pattern:
        return is_line
    return any(_is_shared_name(one, is_line=is_line) for one in re.split(r"\\?\|", pattern))


def _is_shared_name(pattern: str, *, is_line: bool) -> bool:
    bare = re.sub(r"\[(.)\]", r"\1", pattern).strip("^$'\"()/: ").removeprefix("\\b")
    if re.fullmatch(_SHARED, bare) or re.search(r"^\*|^\[?.\]?\*|^\.[*+]", pattern):
        return True
    return is_line and bool(
        re.fullmatch(_IN_LINES, bare) or re.search(_IN_LINES_OF, bare) or len(bare) < 3
    )


def _by_owner(inv: Invocation) -> bool:
    if find_flags(inv, (*_BY_OWNER, *_BY_AGE.get(inv.program, ()))):
        return True
    return any(word.text == "1" for word in inv.values(("-P", "--parent")))


def _uses_shared(inv: Invocation, line: str, context: CallContext) -> bool:
    """``fuser -k``: those that use a port, a file or a file system."""
    if found_in(r"(^|\s)-\w*[mM]|--(mount|ismountpoint)", line):
        return True
    ports = re.findall(r"\b(\d+)(?:/(?:tcp|udp)\b|(?=\s|$))", line)
    if ports:
        return any(_is_shared_port(port) for port in ports)
    return any(_is_elsewhere(word.text, inv.command, context) for word in inv.operands)


def _is_shared_port(port: str) -> bool:
    return re.fullmatch(_PORTS, port) is not None


def _is_elsewhere(text: str, command: Command, context: CallContext) -> bool:
    path = context.resolve(text, context.absolute_folder(command.cwd))
    return path is not None and context.is_outside(path)


def _named_on_windows(line: str) -> bool:
    """``taskkill /IM name``, ``Stop-Process -Name name,name``."""
    if found_in(r"(?i)(^|\s)//?fi\s|/pid\s+[04]\b", line):
        return True
    named = re.findall(r"(?i)(?:^|\s)(?://?im|-name|-processname)\s+(\S+(?:\s*,\s*\S+)*)", line)
    return any(
        _is_shared(one.strip("'\" "), is_line=False) for each in named for one in each.split(",")
    )


# -- processes that a listing gives to kill ----------------------------------------------------------


def _chosen_by_others(command: Command, context: CallContext) -> bool:
    text = context.text
    if found_in(
        r"\bkill\b(\s+-\w+)*\s+['\"]?\$\{?PPID\b|\bin\s+/proc/(\[|\*)|\$\(<\s*/(var/)?run/", text
    ):
        return True
    is_fed = command.stdin_kind == "pipe" or not {"xargs", "parallel"}.isdisjoint(command.through)
    before = [
        one
        for one in context.commands
        if one is not command
        and one.argv
        and (one.span[0] < command.span[0] or one.span[1] <= command.span[1])
        and ("$(…)" in one.through or (is_fed and _FEEDS.match(text, one.span[1])))
    ]
    is_root = _is_as_root(command)
    before += _listed_in_code(command, context, is_root=is_root)
    if is_root and any(_name(one) in _LISTINGS for one in before):
        return True
    filters = [pattern for one in before for pattern in _filters_of(one)]
    return any(_lists_shared(one, filters, context) for one in before)


def _as_written(command: Command, context: CallContext) -> Command:
    """The command with its unknown words: of one in a file, others may be assumed in their place."""
    same = (
        one
        for one in context.commands
        if one.argv and one.span == command.span and one.through == command.through
    )
    return next((one for one in same if _name(one) == _name(command)), command)


def _listed_in_code(command: Command, context: CallContext, *, is_root: bool) -> list[Command]:
    """The listings that the same program starts; what its code picks of them is not read."""
    if context.code:
        around = context.ran
    else:
        steps = (step.partition(" ")[0] in INTERPRETERS for step in command.through)
        at = next((at for at, is_code in enumerate(steps, 1) if is_code), 0)
        around = [
            one for one in context.commands if at and one.through[:at] == command.through[:at]
        ]
    listings = _LISTINGS if is_root else _LISTINGS - {"ps"}
    return [one for one in around if one.argv and _name(one) in listings]


def _name(command: Command) -> str:
    return os.path.basename(command.argv[0].text)


def _filters_of(command: Command) -> Iterator[str]:
    """The patterns of lines that it lets through."""
    name, words = _name(command), [word.text for word in command.argv[1:]]
    if name in ("grep", "egrep", "fgrep", "rg", "ag"):
        given = [word for word in words if word[:1] != "-"]
        if not any(re.match(r"-\w*v|--invert", word) for word in words):
            yield from given[:1]
    elif name in ("awk", "gawk", "mawk", "sed"):
        for code in words[:3]:
            yield from (each[0] or each[1] for each in re.findall(_IN_AWK, code))


def _lists_shared(command: Command, filters: list[str], context: CallContext) -> bool:
    name, words = _name(command), [word.text for word in command.argv[1:]]
    line = " ".join(words)
    if name in ("pgrep", "pidof"):
        return _found_by_name(name, words, filters)
    if name == "ps":
        named = re.findall(r"-C\s*(\S+)", line)
        if named or filters:
            return any(_is_filter_shared(one) for one in [*named, *filters])
        return any(found_in(_LISTS_ALL, word) for word in words)
    if name in ("lsof", "fuser", "ss", "netstat"):
        return _by_use(name, words, filters, command, context)
    if name == "cat":
        return found_in(r"^/(var/)?run/", line)
    if name in ("ls", "find", "echo"):
        return found_in(r"(^|\s)/proc\b", line)
    return name in _OF_SERVICES and not filters


def _is_filter_shared(pattern: str) -> bool:
    port = re.fullmatch(r"\W*:(\d+)\W*", pattern)
    return _is_shared_port(port[1]) if port else _is_shared(pattern, is_line=True)


def _found_by_name(name: str, words: list[str], filters: list[str]) -> bool:
    options = [word for word in words if word[:1] == "-" and len(word) > 1]
    if any(re.match(_BY_OTHERS, one) for one in options):
        return True
    if re.search(r"(^|\s)-\w*P\s*1(\s|$)", " ".join(words)):
        return True
    is_line = name == "pgrep" and any(re.match(r"-\w*f|--full", one) for one in options)
    named = [word for word in words if word not in options]
    everything = [word for word in named if word in ("", ".", ".*", "^")]
    if everything and not filters:
        return True
    return any(_is_shared(word, is_line=is_line) for word in [*named, *filters] if word)


def _by_use(
    name: str, words: list[str], filters: Iterable[str], command: Command, context: CallContext
) -> bool:
    """Those that use a port, a file or a folder."""
    line = " ".join(words)
    ports = re.findall(r":(\d+)\b|\b(\d+)/(?:tcp|udp)\b", line)
    if ports:
        return any(_is_shared_port(one or other) for one, other in ports)
    if re.search(r"(^|\s)-(u\s|\w*i(\s|$))", line):
        return True
    named = re.findall(r"-c\s*(\w\S*)", line)
    if found := [*named, *filters]:
        return any(_is_filter_shared(one) for one in found)
    places = [word for word in words if word[:1] not in ("-", "+")]
    if not places:
        return name != "fuser"  # whatever listens, or has a file open
    return any(_is_elsewhere(word, command, context) for word in places if word[:1] in ("/", "~"))


# end of module
