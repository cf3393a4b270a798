"""A branch of Rust's code is left out only if the words and variables of its command surely do not take it."""

# ruff: noqa: E501 - texts of files

from __future__ import annotations

from tests.tables import for_each

from operators_edge.shell.code.given import masks, program

ACT = 'Command::new("cargo").arg("publish").status()'
HEAD = "use std::env;\nuse std::process::Command;\n\n"
CLAP = 'use clap::Parser;\nuse std::process::Command;\n\n#[derive(Parser, Debug)]\nstruct Args {\n    /// Send it\n    #[arg(long)]\n    publish: bool,\n    #[arg(short, long, default_value = "x")]\n    tag: String,\n}\n\nfn main() {\n    let args = Args::parse();\n    if args.publish {\n        ACT;\n    }\n}\n'
SUB = "#[derive(Parser)]\nstruct Cli {\n    #[command(subcommand)]\n    task: Task,\n}\n\n#[derive(Subcommand)]\nenum Task {\n    Build,\n    PublishAll { dry_run: bool },\n}\n\nfn main() {\n    match Cli::parse().task {\n        Task::Build => build(),\n        Task::PublishAll { dry_run } => {\n            ACT;\n        }\n    }\n}\n"
LIST = (
    HEAD
    + 'fn main() {\n    let args: Vec<String> = env::args().collect();\n    let publish = args.iter().any(|a| a == "--publish");\n    if !publish {\n        return;\n    }\n    ACT;\n}\n'
)
ANY = HEAD + 'fn main() {\n    if env::args().any(|a| a == "--publish") {\n        ACT;\n    }\n}\n'
MATCH = (
    HEAD
    + 'fn main() {\n    let task = env::args().nth(1);\n    match task.as_deref() {\n        Some("dist") => dist(),\n        Some("publish") => publish(),\n        _ => help(),\n    }\n}\n\nfn publish() {\n    ACT;\n}\n'
)
USUAL = (
    HEAD
    + 'fn main() {\n    let task = env::args().nth(1).unwrap_or_else(|| "dist".to_string());\n    if task == "publish" {\n        ACT;\n    }\n}\n'
)
ENV = (
    HEAD
    + 'fn main() {\n    if env::var("SHIP").unwrap_or_default() == "1" {\n        ACT;\n    }\n}\n'
)


def left(text, words="", environment=None, **more):
    """What is left of a program."""
    files = {"main.rs": text.replace("ACT", ACT)}
    files |= {f"{name}.rs": other for name, other in more.items()}
    given = program.without_untaken(files, masks.RUST, ["", *words.split()], environment or {})
    assert all(len(given[path]) == len(files[path]) for path in files)
    return "\n".join(given.values())


NOT_GIVEN = {
    "an option of clap": (CLAP, ""),
    "another option": (CLAP, "--tag y"),
    "another subcommand": (SUB, "build"),
    "a word of the list": (LIST, "--verbose"),
    "any of the words": (ANY, ""),
    "another arm": (MATCH, "dist"),
    "no word": (MATCH, ""),
    "the usual word": (USUAL, ""),
}
GIVEN = {
    "an option of clap": (CLAP, "--publish"),
    "a subcommand": (SUB, "publish-all"),
    "a word of the list": (LIST, "--publish"),
    "any of the words": (ANY, "x --publish"),
    "an arm": (MATCH, "publish"),
    "a word": (USUAL, "publish"),
}
NOT_KNOWN = {
    "a short option": (CLAP.replace("#[arg(long)]", "#[arg(long, short)]"), "-p"),
    "the beginning of an option": (CLAP, "--pub"),
    "another name of an option": (CLAP.replace("#[arg(long)]", '#[arg(long = "ship")]'), "--ship"),
    "a default": (CLAP.replace("#[arg(long)]", "#[arg(long, default_value_t = true)]"), ""),
    "a variable for the option": (CLAP.replace("#[arg(long)]", '#[arg(long, env = "SHIP")]'), ""),
    "an action": (CLAP.replace("#[arg(long)]", "#[arg(long, action = ArgAction::SetFalse)]"), ""),
    "options that change": (
        CLAP.replace("let args", "let mut args").replace(
            "    if", "    args.publish = ci();\n    if"
        ),
        "",
    ),
    "options that are made up": (
        CLAP.replace("Args::parse();", "Args { publish: true, ..Args::parse() };"),
        "",
    ),
    "a name that is shadowed": (CLAP.replace("    if", "    let args = load(args);\n    if"), ""),
    "words that are given": (
        CLAP.replace("Args::parse()", 'Args::parse_from(["x", "--publish"])'),
        "",
    ),
    "the beginning of a subcommand": (SUB, "pub"),
    "another name of a subcommand": (
        SUB.replace("    PublishAll", '    #[command(alias = "ship")]\n    PublishAll'),
        "ship",
    ),
    "a subcommand that the program chooses": (
        SUB.replace(
            "fn main", "fn usual() -> Task { Task::PublishAll { dry_run: false } }\n\nfn main"
        ),
        "",
    ),
    "words that change": (
        LIST.replace("let args", "let mut args").replace(
            "    let publish", '    args.push("--publish".into());\n    let publish'
        ),
        "",
    ),
    "words that are shadowed": (
        LIST.replace("    let publish", "    let args = load();\n    let publish"),
        "",
    ),
    "a name that is shadowed again": (
        LIST.replace("    if", "    let publish = true;\n    if"),
        "",
    ),
    "an arm for all": (MATCH.replace("help()", "publish()"), "other"),
    "an arm with a condition": (
        MATCH.replace('Some("dist") =>', 'Some("dist") if ci() => publish(),\n        Some(_) =>'),
        "dist",
    ),
    "else": (ANY.replace("ACT;\n    }", "show();\n    } else {\n        ACT;\n    }"), ""),
    "not": (ANY.replace("if env", "if !env"), ""),
    "a function that is called elsewhere": (MATCH + "\nfn other() {\n    publish();\n}\n", "dist"),
    "a variable that nothing gives": (ENV, ""),
    "the program itself": (
        LIST.replace("    if", "    Command::new(env::current_exe()).arg(x);\n    if"),
        "",
    ),
}


@for_each(("text", "words"), list(NOT_GIVEN.values()), ids=list(NOT_GIVEN))
def test_what_an_option_would_do_is_left_out_where_it_is_not_given(text, words):
    assert ACT not in left(text, words)


@for_each(("text", "words"), list(GIVEN.values()), ids=list(GIVEN))
def test_it_is_left_in_where_it_is_given(text, words):
    assert ACT in left(text, words)


@for_each(("text", "words"), list(NOT_KNOWN.values()), ids=list(NOT_KNOWN))
def test_it_is_left_in_where_that_cannot_be_known(text, words):
    assert ACT in left(text, words)


def test_a_variable_counts_where_the_line_gives_it():
    assert ACT not in left(ENV, environment={"SHIP": "0"})
    assert ACT in left(ENV, environment={"SHIP": "1"})


# end of module
