"""Measures Calotype against other programs, in one run on one machine, and prints ratios.

    Benchmarks/run                     everything; writes Benchmarks/RESULTS.md
    Benchmarks/run import serving      some of it; only prints
    Benchmarks/run --quick             fewer and smaller runs, to see that they work; only prints
"""

import argparse
import tempfile
from pathlib import Path

import album_tree
import changing
import dry_run
import edits
import fetching
import first_page
import image_requests
import importing
import large_library
import machine
import page
import page_actions
import picker
import renditions
import report
import searching
import serving
import uploading
import verifying
import viewer
import workers
from bench import ROOT, Bench

BENCHMARKS = {
    "import": importing, "large-library": large_library, "dry-run": dry_run, "verify": verifying, "serving": serving,
    "changing": changing, "album-tree": album_tree, "searching": searching, "uploading": uploading,
    "first-page": first_page, "page": page, "page-actions": page_actions, "viewer": viewer, "picker": picker, "fetching": fetching,
    "renditions": renditions, "edits": edits, "workers": workers, "requests": image_requests,
}


def main():
    """Runs the benchmarks that the arguments name."""
    arguments = _arguments()
    names = arguments.benchmarks or list(BENCHMARKS)
    is_whole = not arguments.quick and len(names) == len(BENCHMARKS)
    if is_whole:
        machine.wait_until_quiet()
    commit, load_at_start = machine.commit(), machine.load()
    if load_at_start > machine.BUSY:
        print(f"warning: load average {load_at_start:.2f}; something else is using the machine", flush=True)
    sections = _measure(names, arguments.quick)
    if not is_whole:
        return
    text = report.markdown(sections, machine.facts(commit, load_at_start))
    Path(__file__).with_name("RESULTS.md").write_text(text, encoding="utf-8")


def _arguments():
    parser = argparse.ArgumentParser(prog="Benchmarks/run", description="Measures Calotype against other programs.")
    parser.add_argument("benchmarks", nargs="*", metavar="benchmark", help=f"of {', '.join(BENCHMARKS)}; without any: all")
    parser.add_argument("--quick", action="store_true", help="fewer and smaller runs, to see that they work")
    arguments = parser.parse_args()
    for name in arguments.benchmarks:
        if name not in BENCHMARKS:
            parser.error(f"there is no benchmark {name}; there are {', '.join(BENCHMARKS)}")
    return arguments


def _measure(names, quick):
    """Returns the titles, notes, results and reasons of the named benchmarks."""
    cache = ROOT / ".build/bench"
    cache.mkdir(parents=True, exist_ok=True)
    sections = []
    with tempfile.TemporaryDirectory(prefix="run-", dir=cache) as folder:
        bench = Bench(Path(folder), cache, quick)
        for name in names:
            benchmark = BENCHMARKS[name]
            print(f"{benchmark.TITLE} …", flush=True)
            results = benchmark.measure(bench)
            report.print_results(results)
            sections.append((benchmark.TITLE, benchmark.NOTE, results, getattr(benchmark, "REASONS", {})))
    return sections


if __name__ == "__main__":
    main()
