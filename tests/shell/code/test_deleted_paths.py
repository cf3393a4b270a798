"""Folders of the home that programs delete are known, however the path is put together."""

# ruff: noqa: E501 - texts of files
from tests.tables import for_each

from operators_edge.shell.code.deleted_paths import deletions

HOMES = [
    ('root = joinpath(homedir(), "runs")\nrm(root; recursive=true)', "rm -rf ~/runs"),
    (
        'home, _ := os.UserHomeDir()\ndir := filepath.Join(home, "data")\nos.RemoveAll(dir)',
        "rm -rf ~/data",
    ),
    ('unlink(path.expand("~/models"), recursive = TRUE)', "rm -rf ~/models"),
    (
        'root = Path.join(System.user_home!(), "x")\nFile.rm_rf!(root)',
        "rm -rf ~/x",
    ),
    (
        (
            'fn settings() -> PathBuf {\n    PathBuf::from(env::var("HOME").unwrap()).join(".config").join("shop")\n}\n'
            "fn reset() {\n    let dir = settings();\n    let _ = fs::remove_dir_all(&dir);\n}\n"
        ),
        "rm -rf ~/.config/shop",
    ),
    (
        (
            'Path root = Path.of(System.getProperty("user.home"), "exports");\ntry (var paths = Files.walk(root)) {\n'
            "  for (Path p : paths.sorted().toList()) {\n    Files.delete(p);\n  }\n}\n"
        ),
        "rm -rf ~/exports",
    ),
    (
        '(def out (str (io/file (System/getProperty "user.home") "data")))\n(defn clean [_]\n  (b/delete {:path out}))\n',
        "rm -rf ~/data",
    ),
    ('(let ((old (expand-file-name "~/org")))\n  (delete-directory old t))\n', "rm -rf ~/org"),
    ('local dir = vim.fn.expand("~/notes")\nvim.fn.delete(dir, "rf")\n', "rm -rf ~/notes"),
]
KEPT = [
    'fn settings() -> PathBuf {\n    env::temp_dir().join("shop")\n}\nfn reset() {\n    fs::remove_dir_all(settings());\n}\n',
    'Path root = Files.createTempDirectory("exports");\nfor (Path p : Files.walk(root).toList()) {\n  Files.delete(p);\n}\n',
    '(def out (str (io/file "target" "data")))\n(b/delete {:path out})\n',
    '(let ((out (expand-file-name "build/org")))\n  (delete-directory out t))\n(find-file "~/notes.org")\n',
    'local dir = vim.fn.expand("build/notes")\nlocal own = vim.fn.expand("~/notes")\nvim.fn.delete(dir, "rf")\n',
]


@for_each("code", KEPT)
def test_a_path_that_is_not_in_the_home_is_left_alone(code):
    assert list(deletions([code])) == []


@for_each(("code", "command"), HOMES)
def test_a_path_in_the_home_is_followed_to_where_it_is_deleted(code, command):
    assert [one.command for one in deletions([code])] == [command]


def test_a_home_that_is_only_read_deletes_nothing():
    code = 'conf = joinpath(homedir(), "x.toml")\nread(conf)\nout = mktempdir()\nrm(out)'
    assert list(deletions([code])) == []


def go(*functions, top=""):
    return f"package store\n{top}\n" + "\n".join(functions)


DIR = 'func Dir() string {\n\thome, err := os.UserHomeDir()\n\tif err != nil {\n\t\tpanic(err)\n\t}\n\treturn filepath.Join(home, ".fleet")\n}\n'
RESET = "func Reset() error { return os.RemoveAll(Dir()) }\n"
OTHER = "func TestOther(t *testing.T) {\n\tt.Log(1)\n}\n"


def in_test(*lines):
    return "func TestReset(t *testing.T) {\n" + "".join(f"\t{one}\n" for one in lines) + "}\n"


OWN = 't.Setenv("HOME", t.TempDir())'
RETURNED = [
    go(DIR, RESET, in_test("Reset()")),
    go(DIR, RESET, "func wipe() { Reset() }\n", in_test("wipe()")),
    # a home of its own that comes too late, or not for sure, or is another one
    go(DIR, RESET, in_test("Reset()", OWN)),
    go(DIR, RESET, in_test("if short {", OWN, "}", "Reset()")),
    go(DIR, RESET, in_test("_ = `", OWN, "`", "Reset()")),
    go(DIR, RESET, in_test('t.Setenv("HOME", "/home/ann")', "Reset()")),
    go(DIR, RESET, in_test('os.Setenv("HOME", os.TempDir())', "Reset()")),
    go(DIR, RESET, in_test(OWN, 'os.Setenv("HOME", old)', "Reset()")),
    go(DIR, RESET, in_test("dir := t.TempDir()", "dir = old", 't.Setenv("HOME", dir)', "Reset()")),
    go(DIR, RESET, in_test(OWN, "Reset()"), "func TestB(t *testing.T) {\n\tReset()\n}\n"),
    go(DIR, RESET, in_test(OWN, "Reset()"), "func BenchmarkB(b *testing.B) {\n\tReset()\n}\n"),
    # the home is asked for before any test
    go(
        RESET.replace("Dir()", "dir"),
        in_test(OWN, "Reset()"),
        top='var home, _ = os.UserHomeDir()\nvar dir = filepath.Join(home, ".fleet")',
    ),
    # what runs without being named by a test
    go(DIR, "func init() { os.RemoveAll(Dir()) }\n", OTHER),
    go(DIR, "func (s *Store) Close() error { return os.RemoveAll(Dir()) }\n", OTHER),
    go(DIR, RESET, OTHER, top="var hooks = []func() error{Reset}"),
]
SPARED = [
    go(DIR, RESET, in_test(OWN, "Reset()")),
    go(DIR, RESET, in_test("home := t.TempDir()", 't.Setenv("HOME", home)', "Reset()")),
    go(DIR, RESET, OTHER),
    go(DIR, RESET, "func main() {\n\tReset()\n}\n", OTHER),
    go(
        DIR,
        "func Reset(dir string) error { return os.RemoveAll(dir) }\n",
        in_test("Reset(t.TempDir())"),
    ),
]


@for_each("code", RETURNED)
def test_a_path_that_a_function_returns_is_followed_into_the_tests_of_go(code):
    assert [one.command for one in deletions([code])] == ["rm -rf ~/.fleet"]


@for_each("code", SPARED)
def test_what_no_test_of_go_deletes_in_the_home_of_a_person_asks_nobody(code):
    assert list(deletions([code])) == []


def test_short_functions_return_their_one_expression():
    kotlin = 'fun dir() = File(System.getProperty("user.home"), "data")\nfun wipe() {\n  FileUtils.deleteDirectory(dir())\n}\n'
    elixir = (
        'def dir, do: Path.join(System.user_home!(), "data")\ndef wipe, do: File.rm_rf!(dir())\n'
    )
    swift = 'func dir() -> String {\n  return NSHomeDirectory() + "/data"\n}\nfunc wipe() {\n  try FileManager.default.removeItem(atPath: dir())\n}\n'
    for code in (kotlin, elixir, swift):
        assert [one.command for one in deletions([code])] == ["rm -rf ~/data"], code


# end of module


HOME_OF_R = (
    'store <- function() {\n  getOption("notes.home", path.expand("~/Documents/notes"))\n}\n'
)
OF_R = {
    "the last expression": (HOME_OF_R + "unlink(store(), recursive = TRUE)\n", ["rm -rf ~/Documents/notes"]),
    "a short one": ('store <- function() file.path("~", "notes")\nfs::dir_delete(store())\n', ["rm -rf ~/notes"]),
    "what it returns": ('store <- function() {\n  return(file.path("~/a", "b"))\n}\nfile.remove(store())\n', ["rm -rf ~/a/b"]),
    "a default": ('wipe <- function(dir = tools::R_user_dir("notes", "data")) {\n  unlink(dir, recursive = TRUE)\n}\n', ["rm -rf ~/notes/data"]),
    "an option that the test sets": (HOME_OF_R + "withr::local_options(notes.home = withr::local_tempdir())\nunlink(store(), recursive = TRUE)\n", []),
    "a cache": ('wipe <- function(dir = tools::R_user_dir("notes", "cache")) {\n  unlink(dir, recursive = TRUE)\n}\n', []),
    "a temporary folder": (HOME_OF_R + "book <- tempfile()\nunlink(book, recursive = TRUE)\n", []),
    "a path that is only read": (HOME_OF_R + 'out <- tempfile()\nread.csv(file.path(store(), "x"))\nunlink(file.path(out, "x"))\n', []),
}  # fmt: skip


@for_each(("code", "deleted"), OF_R.values(), OF_R)
def test_a_path_that_a_function_of_r_returns_is_followed(code, deleted):
    assert [one.command for one in deletions([code])] == deleted
