"""Code of another machine that a program of R or Julia runs."""

from __future__ import annotations

from tests.tables import for_each

from operators_edge.shell.code.fetched_code import fetched

HERE = "https://x.example.com/h.R"
CASES = [
    (f"source('{HERE}')", [HERE]),
    (f"base::source(url('{HERE}'), local = TRUE)", [HERE]),
    (f"devtools::source_url('{HERE}')", [HERE]),
    ("devtools::source_gist('a1b2')", ["https://gist.github.com/raw"]),
    (f"u <- '{HERE}'\nsource(u)", [HERE]),
    ("base <- 'https://x.example.com'\nsource(paste0(base, '/h.R'))", ["https://x.example.com"]),
    (f"eval(parse(text = readLines('{HERE}')))", [HERE]),
    (f"code <- readLines('{HERE}')\neval(parse(text = code))", [HERE]),
    (f"download.file('{HERE}', 'h.R')\nsource('h.R')", [HERE]),
    (f"f <- tempfile()\ndownload.file('{HERE}', destfile = f)\nsource(f)", [HERE]),
    (f"include(download('{HERE}'))", [HERE]),
    ("source('R/h.R')", []),
    ("source('http://localhost:8000/h.R')", []),
    (f"download.file('{HERE}', 'h.csv')\nsource('h.R')", []),
    (f"d <- read.csv('{HERE}')\neval(quote(d))", []),
    (f"x <- resource('{HERE}')", []),
]


@for_each(("code", "expected"), CASES)
def test_code_of_another_machine_is_named_by_its_address(code, expected):
    assert [address for address, _ in fetched(code)] == expected
