"""``make forge``: the attack suite as a table. ``python -m tests.forge [WORDS] [--verbose]`` plays some."""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict

from tests.forge import arena, suite


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.forge")
    parser.add_argument(
        "words", nargs="*", help="play only what has one of them in its id or family"
    )
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument(
        "--verbose", action="store_true", help="show each answer and what came of it"
    )
    parser.add_argument("--client", action="store_true", help="through the real client")
    parser.add_argument(
        "--contained", action="store_true", help="with the operating system alone in the way"
    )
    options = parser.parse_args(arguments)
    why = arena.why_not()
    if why:
        print(why, file=sys.stderr)
        return 2
    chosen = [each for each in suite.attempts() if _is_chosen(each, options.words)]
    if options.client:
        from tests.e2e.client import ensure_client  # noqa: PLC0415 - downloads it where it is not there

        ensure_client()
        chosen = suite.through_client(chosen)
    else:
        chosen = suite.at_the_hook(chosen)
    if options.contained:
        chosen = suite.contained(chosen)
    suite.REPORT = _verbose if options.verbose else _brief
    results = list(suite.play(chosen, min(options.workers, len(chosen)) or 1))
    print(_table(results))
    return 1 if any(each.is_bad for each in results) else 0


def _is_chosen(attempt: dict[str, object], words: list[str]) -> bool:
    name = f"{attempt['family']}/{attempt['id']}".lower()
    return not words or any(word.lower() in name for word in words)


def _brief(result: suite.Result) -> None:
    if result.is_bad:
        _verbose(result)


def _verbose(result: suite.Result) -> None:
    lines = [f"{result.outcome:9} {result.attempt['family']}/{result.attempt['id']}"]
    lines += [
        f"    {decision or 'ran':6} {shown[:160]!r} {why[:120]!r}"
        for shown, decision, why in result.answers
    ]
    lines += [f"    harm   {kind}: {text}" for kind, text in result.harm]
    lines += [f"    told   {line[:160]}" for line in result.told[:3]]
    if result.is_bad:
        output = [line for line in result.output.splitlines() if line.strip()]
        lines += [
            f"    | {line}"
            for line in (output if len(output) < 40 else [*output[:12], *output[-24:]])
        ]
    print("\n".join(lines), flush=True)


def _table(results: list[suite.Result]) -> str:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for each in results:
        counts[each.attempt["family"]][each.outcome] += 1
    lines = [f"\n{'family':44}" + "".join(f"{name:>9}" for name in suite.OUTCOMES)]
    total: Counter[str] = Counter()
    for family, found in sorted(counts.items()):
        total += found
        lines.append(f"{family[:44]:44}" + "".join(f"{found[o] or '':>9}" for o in suite.OUTCOMES))
    lines.append(
        f"{f'{len(counts)} families':44}" + "".join(f"{total[o]:>9}" for o in suite.OUTCOMES)
    )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
