"""A folder that a program deletes is known, though its path is in a file of settings or a constant."""

# ruff: noqa: E501 - texts of files
import time

from tests.tables import for_each

from operators_edge.shell.code.path_flow import acts_of

VALUES = {
    "root": ("/srv/media",),
    "storageroot": ("/srv/media",),
    "exportdir": ("/mnt/share/out",),
    "remove": ("~/tiles",),
    "output": ("s3a://events/daily/",),
    "datadir": ("/srv/media",),
}
FOLLOWED = [
    # Go: a field of settings, through a function, by a walk over it
    (
        (
            "func main() {\n\tcfg := load()\n\tpurge(cfg.Root)\n}\nfunc purge(dir string) {\n"
            "\tfilepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {\n\t\treturn os.Remove(p)\n\t})\n}"
        ),
        "rm -rf /srv/media",
    ),
    (
        (
            "package main\nfunc clean(c Config) error {\n\tentries, _ := os.ReadDir(c.Storage.Root)\n\tfor _, e := range entries {\n"
            "\t\tos.Remove(filepath.Join(c.Storage.Root, e.Name()))\n\t}\n\treturn nil\n}"
        ),
        "rm -rf /srv/media",
    ),
    ('func f() { os.RemoveAll(viper.GetString("storage.root")) }', "rm -rf /srv/media"),
    ('func f() { os.RemoveAll(os.Getenv("DATA_DIR")) }', "rm -rf /srv/media"),
    (
        'type Config struct {\n\tWhere string `yaml:"root"`\n}\nfunc f(c Config) { os.RemoveAll(c.Where) }',
        "rm -rf /srv/media",
    ),
    ('func f(c Config) { exec.Command("rm", "-rf", c.Root).Run() }', "rm -rf /srv/media"),
    # Rust
    (
        (
            "fn main() -> Result<()> {\n    let settings: Settings = load()?;\n    sweep(&settings.root)?;\n}\n"
            "fn sweep(dir: &Path) -> Result<()> {\n    for entry in fs::read_dir(dir)? {\n        fs::remove_file(entry?.path())?;\n    }\n    Ok(())\n}"
        ),
        "rm -rf /srv/media",
    ),
    (
        'fn f(cfg: &Config) {\n    let dir = PathBuf::from(cfg.get_string("export_dir").unwrap());\n    std::fs::remove_dir_all(&dir).unwrap();\n}',
        "rm -rf /mnt/share/out",
    ),
    # Java, Kotlin, Scala
    (
        'class Clean {\n  @Value("${storage.root}") private String where;\n  void run() throws IOException {\n    FileUtils.deleteDirectory(new File(where));\n  }\n}',
        "rm -rf /srv/media",
    ),
    (
        (
            'class Clean {\n  public static void main(String[] args) throws Exception {\n    Path root = Path.of(props.getProperty("export.dir"));\n'
            "    try (var files = Files.walk(root)) {\n      files.sorted(Comparator.reverseOrder()).forEach(p -> Files.delete(p));\n    }\n  }\n}"
        ),
        "rm -rf /mnt/share/out",
    ),
    (
        "fun main() {\n    val dir = File(config.exportDir)\n    dir.deleteRecursively()\n}",
        "rm -rf /mnt/share/out",
    ),
    (
        (
            "object Compact {\n  def run(conf: Config): Unit = {\n    df.write\n      .mode(SaveMode.Overwrite)\n"
            '      .option("x", "y")\n      .parquet(conf.getString("output"))\n  }\n}'
        ),
        "aws s3 rm --recursive s3://events/daily/",
    ),
    # C#, C, C++
    (
        'var root = builder.Configuration["Storage:Root"];\nforeach (var file in Directory.EnumerateFiles(root)) {\n    File.Delete(file);\n}',
        "rm -rf /srv/media",
    ),
    (
        (
            '#define SPOOL "/var/spool/post"\nint purge(const char *dir) {\n    return nftw(dir, drop, 16, FTW_DEPTH);\n}\n'
            "static int drop(const char *path, const struct stat *s, int f, struct FTW *w) {\n    return remove(path);\n}\nint main(void) {\n    return purge(SPOOL);\n}"
        ),
        "rm -rf /var/spool/post",
    ),
    (
        'const std::string kSpool = "/var/spool/post";\nint main() {\n    std::filesystem::remove_all(kSpool);\n}',
        "rm -rf /var/spool/post",
    ),
    # Node
    (
        'const { remove } = JSON.parse(readFileSync("clean.json"));\nfor (const entry of remove) {\n  const path = resolve(root, entry);\n  rmSync(path, { recursive: true });\n}',
        "rm -rf ~/tiles",
    ),
    (
        'const config = require("./clean.json");\nconfig.remove.forEach((one) => {\n  fs.unlinkSync(one);\n});',
        "rm -rf ~/tiles",
    ),
]


@for_each(("code", "command"), FOLLOWED)
def test_a_path_of_settings_is_followed_to_where_it_is_deleted(code, command):
    assert [one.command for one in acts_of([code], VALUES)] == [command]


HARMLESS = [
    # it is read or written there, and something else is deleted
    'func f(c Config) {\n\tos.ReadFile(c.Root)\n\tos.RemoveAll("build")\n}',
    # a folder of its own in that place
    'func f(c Config) {\n\tdir, _ := os.MkdirTemp(c.Root, "x")\n\tos.RemoveAll(dir)\n}',
    # one file alone: a socket, a lock
    "func f(c Config) { os.Remove(c.Root) }",
    # the same name in another function
    "func f(c Config) {\n\tdir := c.Root\n\tos.ReadDir(dir)\n}\nfunc g(t *testing.T) {\n\tdir := t.TempDir()\n\tos.RemoveAll(dir)\n}",
    'static int f(const char *dir) {\n    return puts(dir);\n}\nint main(void) {\n    const char *dir = "build/x";\n    f("/var/spool/post");\n    return remove_all(dir);\n}',
    # a setting of another name, and the file of settings itself
    "func f(c Config) { os.RemoveAll(c.Cache) }",
    'func f() {\n\tcfg := config.Load("/etc/app/x.yaml")\n\tos.RemoveAll(cfg.Cache)\n}',
    # its name alone
    'func f(c Config) { os.RemoveAll(filepath.Join("build", filepath.Base(c.Root))) }',
    'df.write.mode(SaveMode.Append).parquet(conf.getString("output"))',
    'df.write.mode(SaveMode.Overwrite).parquet("target/x")',
]


@for_each("code", HARMLESS)
def test_what_is_not_deleted_there_is_no_loss(code):
    assert list(acts_of([code], VALUES)) == []


def test_the_setting_may_be_taken_in_another_file():
    files = [
        "func main() {\n\tretention.Purge(cfg)\n}",
        "func Purge(c Config) {\n\tos.RemoveAll(c.Root)\n}",
    ]
    found = list(acts_of(files, VALUES))
    assert [(one.command, one.text) for one in found] == [("rm -rf /srv/media", files[1])]
    assert files[1][found[0].position :].startswith("os.RemoveAll")


def test_a_large_program_is_followed_in_time():
    one = "func f{0}(dir string) {{\n\tfor _, x := range list(dir) {{\n\t\tg{0}(x)\n\t}}\n\tos.RemoveAll(dir)\n}}\nfunc g{0}(p string) {{\n\tf{1}(p)\n}}\n"
    code = "package x\n" + "".join(one.format(at, at + 1) for at in range(1500))
    start = time.process_time()
    list(acts_of([code], VALUES))
    assert time.process_time() - start < 5  # less than 1


# end of module
