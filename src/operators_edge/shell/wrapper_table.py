"""Tables: which programs run another program that is named in their words. A wrapper is one line here.

Owns data only. Does not own taking the words apart (``shell.wrappers``).
"""

from __future__ import annotations

_BEFORE_COMMAND = (
    "nohup command builtin coproc emulate setsid unbuffer busybox toybox linux64 linux32"
    " firejail catchsegv valgrind torsocks torify winpty rlwrap retry noglob nocorrect -"
    " chronic eatmydata ccache cross-env heaptrack nq run-one run-one-constantly run-one-until-success cronic"
    " with-contenv flatpak-spawn distrobox-host-exec host-spawn systemd-cat"
)
"""Prefixes that are followed by the command, after options without a value."""
_BEFORE_OPERAND = (
    "taskset setarch gosu su-exec faketime setlock envdir envuidgid setuidgid s6-setuidgid"
    " logsave wait-for-it"
)
"""The same, with one operand before the command."""
_LOADERS = "ld.so ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-musl-x86_64.so.1"

PREFIXES: dict[str, tuple[int, str]] = {
    # name: (operands before the command, options that take a value in the next word)
    **dict.fromkeys(_BEFORE_COMMAND.split(), (0, "")),
    **dict.fromkeys(_BEFORE_OPERAND.split(), (1, "")),
    **dict.fromkeys(_LOADERS.split(), (0, "library-path preload argv0 audit")),
    "sudo": (0, "u g h p C D R T r t U user group host prompt chdir chroot role type other-user"),
    "doas": (0, "u C a"),
    "nice": (0, "n adjustment"),
    "ionice": (0, "c n p class classdata pid"),
    "timeout": (1, "k s kill-after signal"),
    "gtimeout": (1, "k s kill-after signal"),
    "time": (0, "f o format output"),
    "gtime": (0, "f o format output"),
    "stdbuf": (0, "i o e input output error"),
    "exec": (0, "a"),
    "repeat": (1, ""),
    "chroot": (1, "userspec groups"),
    "unshare": (0, "R w S G root wd setuid setgid map-user map-group propagation"),
    "nsenter": (0, "t S G target setuid setgid"),
    "strace": (0, "a b e E I o O p P s S u X"),
    "ltrace": (0, "a A D e F l n o p s u w x X"),
    "chrt": (1, "T P D sched-runtime sched-period sched-deadline"),
    "numactl": (0, "i p m N C interleave preferred membind cpunodebind physcpubind"),
    "caffeinate": (0, "t w"),
    "arch": (0, "e d arch"),
    "prlimit": (0, "p pid"),
    "cpulimit": (0, "l p P e limit pid path exe"),
    "systemd-run": (
        0,
        "u p E M H t unit property setenv machine host slice uid gid nice description",
    ),
    "systemd-inhibit": (0, "what who why mode"),
    "dbus-run-session": (0, "config-file dbus-daemon"),
    "fakeroot": (0, "l s i b lib faked"),
    "proot": (0, "r b w R S q rootfs bind cwd"),
    "bwrap": (0, "chdir uid gid hostname setenv unsetenv dev proc tmpfs dir"),
    "proxychains": (0, "f"),
    "proxychains4": (0, "f"),
    "pkexec": (0, "user"),
    "setpriv": (0, "reuid regid groups inh-caps ambient-caps bounding-set securebits pdeathsig"),
    "chpst": (0, "u U b e / n l L m d o p f c"),
    "run0": (0, "u g user group unit property setenv chdir"),
    "xvfb-run": (0, "e f n p s w error-file auth-file server-num server-args"),
    "dumb-init": (0, "r rewrite"),
    "tini": (0, "p e"),
    "nocache": (0, "n"),
    "sshpass": (0, "p f d P"),
    "runcon": (0, "c t u r l"),
    "lockrun": (0, "lockfile maxtime"),
    "softlimit": (0, "a c d f l m o p r s t"),
    "bear": (0, "output o append"),
    "sem": (0, "j jobs id"),
    "tsp": (0, "L N D W"),
    "dtach": (1, "e r"),
    "abduco": (1, "e"),
    "timelimit": (0, "T t S s"),
    "multitime": (0, "f I i n o q r s"),
    "daemonize": (0, "c e o p l u E"),
    "daemon": (0, "name n user u chdir D pidfile F output O stdout o stderr e errlog l dbglog b"),
    "envconsul": (0, "config consul-addr prefix secret token vault-addr vault-token"),
    "dockerize": (0, "wait timeout template stdout stderr env wait-http-header"),
    "summon": (0, "p provider f e environment D yaml"),
    "srun": (0, "n N c p t A J w mem gres partition time account job-name ntasks nodes"),
    "salloc": (0, "n N c p t A J w mem gres partition time account job-name ntasks nodes"),
    "mpirun": (0, "n np H host hostfile machinefile x map-by bind-to"),
    "mpiexec": (0, "n np H host hostfile machinefile x map-by bind-to"),
    "bsub": (0, "q n W o e J R m M P"),
    "sandbox-exec": (0, "p f n D"),
    "kitty": (0, "o c T title class override config"),
    "alacritty": (0, "t title class config-file working-directory o option"),
    "xterm": (0, "T title geometry fa fs bg fg n"),
    "konsole": (0, "workdir profile p"),
    "gnome-terminal": (0, "title geometry working-directory profile"),
}

RUNNERS: dict[str, tuple[int, str]] = {
    # Programs with a meaning of their own: reported together with what they run.
    "npx": (0, "p package w workspace c call"),
    "npm exec": (0, "p package w workspace c call"),
    "npm exe": (0, "p package w workspace c call"),
    "npm x": (0, "p package w workspace c call"),
    "pnpm exec": (0, "C dir filter"),
    "pnpm dlx": (0, "package"),
    "pnpx": (0, "package"),
    "yarn exec": (0, ""),
    "yarn dlx": (0, "p package"),
    "bunx": (0, "p package"),
    "bun x": (0, "p package"),
    "uv run": (
        0,
        "p m w with with-editable with-requirements python package extra group env-file project index",
    ),
    "uvx": (0, "p w from with python index"),
    "uv tool run": (0, "p from with python index"),
    "pipx run": (0, "spec python pip-args index-url"),
    "poetry run": (0, "C P directory project"),
    "pipenv run": (0, ""),
    "pdm run": (0, "p project"),
    "hatch run": (0, ""),
    "rye run": (0, ""),
    "conda run": (0, "n p name prefix cwd"),
    "mamba run": (0, "n p name prefix cwd"),
    "micromamba run": (0, "n p name prefix cwd"),
    "bundle exec": (0, ""),
    "direnv exec": (1, ""),
    "dotenv run": (0, ""),
    "godotenv": (0, "f"),
    "env-cmd": (0, "f e r"),
    "dotenv": (0, "e f v p file"),
    "dotenvx run": (0, "f e env-file env"),
    "foreman run": (0, "e f d p env procfile root port"),
    "honcho run": (0, "e f d env procfile app-root"),
    "nf run": (0, "e j env procfile"),
    "op run": (0, "account env-file"),
    "aws-vault exec": (1, "d duration region"),
    "doppler run": (0, "p c t project config token command"),
    "chamber exec": (1, ""),
    "infisical run": (0, "env path projectId token command"),
    "mise exec": (0, "C cd"),
    "mise x": (0, "C cd"),
    "asdf exec": (0, ""),
    "rbenv exec": (0, ""),
    "pyenv exec": (0, ""),
    "rustup run": (1, ""),
    "opam exec": (0, "switch"),
    "stack exec": (0, ""),
    "cabal exec": (0, ""),
    "flatpak run": (0, ""),
    "git bisect run": (0, ""),
    "pixi run": (0, "e environment manifest-path"),
    "devbox run": (0, "c config e env"),
    "flox activate": (0, "d dir r remote"),
    "guix shell": (0, "m f"),
    "lerna exec": (0, "scope ignore concurrency"),
    "teller run": (0, "c"),
    "railway run": (0, "s e service environment"),
    "envchain": (1, ""),
    "watchexec": (0, "w e i f d s watch exts ignore filter shell debounce"),
    "reflex": (0, "r R g G"),
    "jj util exec": (0, ""),
    "launchctl asuser": (1, ""),
    "ip netns exec": (1, ""),
    "rr record": (0, ""),
    "podman unshare": (0, ""),
    "buildah unshare": (0, "m mount"),
    "perf record": (0, "e o F c"),
    "perf trace": (0, "e o"),
    "py-spy record": (0, "o f d r output format duration rate"),
    "samply record": (0, "o r output rate"),
    "uftrace record": (0, "d F N"),
    "coz run": (0, "b s binary-scope source-scope"),
    "sops exec-env": (1, "user"),
    "sops exec-file": (1, "filename user"),
    "vault agent exec": (0, ""),
    "berglas exec": (0, ""),
    "ksm exec": (0, ""),
    "phase run": (0, "env app path"),
    "gopass env": (1, ""),
    "saml2aws exec": (0, "a idp-account p profile exec-profile"),
    "aws-okta exec": (1, ""),
    "vals exec": (0, "f i"),
    "nx exec": (0, "project"),
    "composer exec": (0, ""),
    "meta exec": (0, "include-only exclude"),
    "repo forall": (0, "c r g j"),
    "sbatch": (0, "n N c p t A J o e wrap mem gres partition time account job-name output error"),
    "execlineb": (0, "c"),
    "pueue add": (0, "w g d a l working-directory group delay after label"),
    "zellij run": (0, "n d name direction cwd"),
    "wezterm start": (0, "cwd class workspace"),
    "perf stat": (0, "e o r I"),
    "tox exec": (0, "e"),
    "forever": (0, ""),
    "nodemon": (0, "w e watch ext delay x exec"),
}
_CHANGING = (
    "sudo,doas,pkexec,su -c,runuser,runuser -c,systemd-run,setpriv,bwrap,env -S,envdir,chpst"
    ",direnv exec,dotenv,dotenv run,dotenvx run,op run,aws-vault exec,doppler run,chamber exec"
    ",infisical run,mise exec,mise x,teller run,envchain,railway run,pipenv run,conda run,mamba run"
    ",micromamba run,devbox run,flox activate,pixi run,hatch run,nix-shell -c,nix -c,guix shell"
    ",godotenv,env-cmd,foreman run,honcho run,nf run"
    ",sops exec-env,sops exec-file,vault agent exec,berglas exec,ksm exec,phase run"
    ",gopass env,saml2aws exec,aws-okta exec,vals exec,summon,envconsul,with-contenv,direnv,nix develop"
    ",nix shell,crontab,screen stuff,screen"
    ",tmux send-keys,tmux new-session,tmux new,tmux new-window,tmux neww,tmux split-window,tmux splitw"
    ",tmux respawn-pane,tmux run-shell,tmux run,tmux if-shell,tmux pipe-pane,tmux display-popup,tmux popup"
)
MOVING = frozenset(("cd", "chdir", "pushd", "popd"))
"""Builtins that change the folder."""
CHANGING_FOLDERS = frozenset(
    [
        "mkdir",
        "rm",
        "rmdir",
        "mv",
        "ln",
        "chmod",
        "chown",
        "setfacl",
        "umount",
        "trash",
        "unlink",
        "git",
        "find",
        "rsync",
    ]
)
"""Programs that make a folder, or may take one away."""
CHANGING = frozenset(_CHANGING.split(","))
"""Wrappers behind which a variable may be unset or hold something else: by their files or their rules."""
GIVES_VARIABLES = frozenset(
    (
        *(
            "direnv exec",
            "dotenv",
            "dotenv run",
            "dotenvx run",
            "env-cmd",
            "godotenv",
            "pipenv run",
        ),
        *("foreman run", "honcho run", "nf run", "op run", "uv run"),
    )
)
"""Wrappers that give what they run the variables of a file."""
OF_PROJECTS = frozenset(
    "npx bunx pnpx uvx npm pnpm yarn bun uv poetry pdm pipenv bundle".split()  # noqa: SIM905 - a table
)
"""Runners of programs that a project has installed for itself, and that are not found without them."""

OF_PACKAGES = frozenset(
    (
        *("npx", "npm exec", "npm exe", "npm x", "pnpm dlx", "pnpx", "yarn dlx", "bunx", "bun x"),
        *("uvx", "uv tool run", "pipx run"),
    )
)
"""Runners that are given a package, which may bring a command of another name."""

REMOTES: dict[str, tuple[int, str]] = {
    "docker exec": (1, "e u w env user workdir env-file detach-keys"),
    "docker container exec": (1, "e u w env user workdir env-file detach-keys"),
    "docker compose exec": (1, "e u w env user workdir index"),
    "docker-compose exec": (1, "e u w env user workdir index"),
    "podman exec": (1, "e u w env user workdir env-file detach-keys"),
    "nerdctl exec": (1, "e u w env user workdir env-file"),
    "lxc exec": (1, "env user group cwd mode"),
    "incus exec": (1, "env user group cwd mode"),
    "multipass exec": (1, "d working-directory"),
    "distrobox enter": (1, "n name"),
    "toolbox run": (0, "c d r container distro release"),
    "wsl": (0, "d u distribution user cd"),
    "adb shell": (0, "e"),
    "fly ssh console": (0, "a app C command"),
    "flyctl ssh console": (0, "a app C command"),
    "cf ssh": (1, "i c app-instance-index command process L"),
    "railway ssh": (0, "s e p service environment project"),
    "devcontainer exec": (
        0,
        "workspace-folder container-id id-label config docker-path remote-env",
    ),
    "ddev exec": (0, "s d service dir"),
    "tsh ssh": (1, "l p i login port identity proxy user cluster ttl jumphost J L R D"),
    "tailscale ssh": (1, ""),
    "coder ssh": (1, ""),
    "dokku run": (1, ""),
    "podman machine ssh": (1, "username"),
    "podman container exec": (1, "e u w env user workdir env-file detach-keys"),
    "podman compose exec": (1, "e u w env user workdir index"),
    "podman-compose exec": (1, "e u w env user workdir index"),
    "nerdctl compose exec": (1, "e u w env user workdir index"),
    "finch exec": (1, "e u w env user workdir env-file"),
    "container exec": (1, "e u w env user workdir env-file uid gid"),
    "pct exec": (1, ""),
    "qm guest exec": (1, "timeout synchronous pass-stdin"),
    "jexec": (1, "u U"),
    "tart exec": (1, ""),
    "vzctl exec": (1, ""),
    "prlctl exec": (1, "user password"),
    "heroku run": (0, "a app r remote s size"),
    "heroku run:detached": (0, "a app r remote s size"),
    "oc rsh": (1, "n c namespace container"),
    "apptainer exec": (1, "B bind env home pwd"),
    "singularity exec": (1, "B bind env home pwd"),
    "crictl exec": (1, "timeout"),
    "nomad alloc exec": (1, "task"),
    "buildah run": (1, "v volume user"),
    "limactl shell": (1, "workdir"),
    "colima ssh": (0, "p profile"),
    "minikube ssh": (0, "p profile n node"),
    "lxc-attach": (0, "n name"),
    "systemd-nspawn": (0, "D directory M machine u user i image"),
    "machinectl shell": (1, "uid setenv"),
    "gh codespace ssh": (0, "c codespace"),
    "pssh": (0, "h H l p o e t hosts host user"),
    "pdsh": (0, "w l g x"),
    "clush": (0, "w g x l"),
    "rsh": (1, "l"),
    "plink": (1, "P l pw i m hostkey sercfg sshlog proxycmd"),
}
SAME_SHELL = frozenset(["time", "command", "builtin", "noglob", "nocorrect", "-"])
"""Prefixes after which a builtin still changes the current shell."""
PROGRAMS_ALONE = frozenset(
    "command builtin exec env sudo doas nohup setsid timeout nice ionice stdbuf xargs".split()  # noqa: SIM905
)
"""Prefixes after which a word is never a function of the shell."""
RUN_FLAGS = (
    "d i t P q T it ti dit rm detach init interactive tty privileged read-only no-healthcheck publish-all"
    " sig-proxy oom-kill-disable quiet disable-content-trust no-deps service-ports use-aliases build"
    " remove-orphans no-TTY"
)
"""Options of ``run`` that take no value."""
GLOBAL_VALUES = {
    "docker": "H c l host context config log-level",
    "docker-compose": "f p file project-name profile env-file",
    "podman": "url connection identity log-level root",
    "finch": "n namespace",
    "nerdctl": "n a namespace address",
    "adb": "s t H P L",
    "npm": "prefix w workspace C loglevel",
    "pnpm": "C dir filter F",
    "yarn": "cwd",
    "git": "C c git-dir work-tree namespace exec-path",
    "uv": "directory project cache-dir config-file",
    "poetry": "C P directory project",
}
TEXT_OPTIONS = {
    "npx": "c call",
    "npm": "c call",
    "fly": "C command",
    "flyctl": "C command",
    "cf": "c command",
    "doppler": "command",
    "infisical": "command",
    "repo": "c",
    "sbatch": "wrap",
    "execlineb": "c",
}
"""Options that give a script in place of a command."""
JOINED = frozenset(
    (
        *("adb shell", "tsh ssh", "tailscale ssh", "coder ssh", "podman machine ssh", "plink"),
        *("heroku run", "heroku run:detached", "lerna exec", "meta exec", "pueue add"),
        *("sops exec-env", "sops exec-file", "phase run"),
    )
)
"""What gives its words to a shell, as ssh does."""
IMAGES = frozenset(
    [
        "aws-cli",
        "terraform",
        "opentofu",
        "terragrunt",
        "packer",
        "pulumi",
        "vault",
        "kubectl",
        "helm",
        "eksctl",
        "velero",
        "doctl",
        "flyctl",
        "crane",
        "regctl",
        "oras",
        "cosign",
        "dnscontrol",
        "restic",
        "rclone",
        "mc",
        "git",
        "curl",
        "flyway",
        "liquibase",
    ]
)
"""Images that contain one program: arguments of the image are arguments of that program."""
_FETCHING = (
    "curl wget aria2c axel scp rsync fetch http https xh lynx nc ncat socat ssh autossh GET"
    " lwp-request iwr irm Invoke-WebRequest Invoke-RestMethod invoke-webrequest invoke-restmethod"
)
FETCHES = frozenset((*_FETCHING.split(), "/dev/tcp"))
"""Programs that print what another machine sends; packs name them as ``$fetches``."""
_FILTERING = (
    "gunzip zcat gzip xz unxz xzcat bzip2 bunzip2 bzcat zstd unzstd zstdcat lz4 funzip base64 base32"
    " openssl gpg age xxd uudecode tr rev tac sed awk gawk mawk grep head tail cut tee cat sort uniq dos2unix"
    " iconv envsubst jq yq pv nl sponge"
)
FILTERS = frozenset(_FILTERING.split())
"""Programs that print what they read, in another form or a part of it."""
COMPOSE_VALUES = "f p file project-name profile env-file project-directory ansi progress"
COMMAND_VARIABLES = (
    r"(?:\w+_)?(?:PAGER|EDITOR|BROWSER|ASKPASS|SSH_COMMAND|RSH)|MANPAGER|HGEDITOR|VISUAL|FCEDIT"
    r"|(?:GIT|SVN|HG|CVS|BORG|SSH)_(?:SSH|RSH|PROXY_COMMAND|EXTERNAL_DIFF)|CVS_SERVER|TEXEDIT"
    r"|PROMPT_COMMAND|LESSOPEN|LESSCLOSE|RSYNC_CONNECT_PROG|RUSTC(?:_WORKSPACE)?_WRAPPER|RUSTC|RUSTDOC"
    r"|CARGO_TARGET_\w+_(?:RUNNER|LINKER)|CARGO_BUILD_RUST(?:C|DOC)(?:_WRAPPER)?|SHELL|C(?:C|XX|PP)|LD|AR"
    r"|FZF_(?:DEFAULT|CTRL_T|ALT_C)_COMMAND|MAKESHELL|npm_config_(?:editor|git|shell|viewer|browser)"
    r"|(?:RESTIC|BORG|VAULT|ANSIBLE)_\w*(?:PASSCOMMAND|PASSWORD_COMMAND)|MAILER"
)
"""Names of variables whose value is run as a command by the program they are set for."""
PROMPT_VARIABLES = frozenset(["PS0", "PS1", "PS2", "PS4"])
"""Variables whose value is expanded whenever a shell prints it."""
OPTION_VARIABLES = {
    "NODE_OPTIONS": "node {}",
    "BUN_OPTIONS": "bun {}",
    "npm_config_node_options": "node {}",
    "RUBYOPT": "ruby {}",
    "PERL5OPT": "perl {}",
    "PERL5DB": "perl -e {word}",
    **dict.fromkeys(("LUA_INIT", *(f"LUA_INIT_5_{n}" for n in range(1, 5))), "lua -e {word}"),
    **dict.fromkeys(("LUA_INIT=@", *(f"LUA_INIT_5_{n}=@" for n in range(1, 5))), "lua {rest}"),
    "PYTHONSTARTUP": "python3 {}",
    "PSQLRC": "psql -f {}",
    "PYTEST_ADDOPTS": "pytest {}",
    "PYTEST_PLUGINS": "pytest -p {}",
    "MAKEFILES": "make -f {}",
    "MAKEFLAGS": "make {words}",
    "GNUMAKEFLAGS": "make {words}",
    "TAR_OPTIONS": "tar {words}",
    "LESS": "less {word}",
    "MORE": "more {word}",
    "GOFLAGS": "go build {words}",
    "R_PROFILE_USER": "Rscript {}",
    "R_PROFILE": "Rscript {}",
    "ERL_FLAGS": "erl {}",
    "ERL_AFLAGS": "erl {}",
    "ERL_ZFLAGS": "erl {}",
    "ELIXIR_ERL_OPTIONS": "erl {}",
    "VIMINIT": "vim -c {word}",
    "GVIMINIT": "vim -c {word}",
    "EXINIT": "ex -c {word}",
    **dict.fromkeys(
        (
            *("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "JAVA_OPTS"),
            *("MAVEN_OPTS", "GRADLE_OPTS", "SBT_OPTS", "ANT_OPTS"),
        ),
        "java {}",
    ),
    "npm_config_script_shell": "{}",
    "NPM_CONFIG_SCRIPT_SHELL": "{}",
    "npm_config_init_module": "node {}",
}
"""Variables whose value is a program's options or file: what setting one amounts to (``runners.fill``).
A name with ``=@`` is for values that begin so."""
SCRIPT_VARIABLES = frozenset(["BASH_ENV", "ENV"])
"""Variables that name a file which a shell reads first."""
WRITTEN_VARIABLES = (
    r"GIT_TRACE\w*|GIT_INDEX_FILE|SSLKEYLOGFILE|COVERAGE_FILE|HISTFILE|LLVM_PROFILE_FILE"
)
"""Names of variables with a file that a program then writes, if the value is a path."""

# end of module
