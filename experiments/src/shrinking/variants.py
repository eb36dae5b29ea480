"""Runs the variants of `variants.rs` under Hypothesis and prints what `variants_hypothesis.tsv` holds.

cargo run --release -p experiments -- shrinking --python | python3 variants.py 20 > variants_hypothesis.tsv

For each variant: its name, the share of the seeds that ended at the least result that any seed reached (in the order of Hypothesis), and the mean number of
calls of the property after the first that failed.
"""

import sys
from collections import Counter

import hypothesis.strategies as st
from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis.internal.conjecture.engine import ConjectureRunner
from hypothesis.internal.conjecture.shrinker import sort_key

runners = []
original_run = ConjectureRunner.run


def run(self):
    runners.append(self)
    return original_run(self)


ConjectureRunner.run = run


class Fails(Exception):
    pass


def wrap(number):
    return ((number + 32768) & 0xFFFF) - 32768


def subset_sums(numbers):
    sums = {0}
    for number in numbers:
        sums |= {other + number for other in sums}
    return sums


@st.composite
def search_trees(draw, lo, hi):
    if lo > hi or draw(st.integers(0, 5)) == 0:
        return None
    key = draw(st.integers(lo, hi))
    return (draw(search_trees(lo, key - 1)), key, draw(search_trees(key + 1, hi)))


def keys(tree):
    return [] if tree is None else keys(tree[0]) + [tree[1]] + keys(tree[2])


@st.composite
def flat_maps(draw, depth):
    numbers, highest, product = [], 10, 1
    for _ in range(depth):
        highest = draw(st.integers(1, highest))
        numbers.append(highest)
        product *= highest
    return numbers, draw(st.lists(st.integers(0, 1), min_size=product, max_size=product))


def shrink(strategy, fails, number):
    """The order key of the result, and the calls after the first failure; nothing if none failed."""
    calls = [0, None]

    def body(value):
        calls[0] += 1
        if fails(value):
            calls[1] = calls[1] or calls[0]
            raise Fails()

    test = settings(
        database=None,
        max_examples=20_000,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
        verbosity=Verbosity.quiet,
        report_multiple_bugs=False,
    )(seed(number)(given(strategy)(body)))
    runners.clear()
    try:
        test()
    except Fails:
        (result,) = runners[-1].interesting_test_cases.values()
        return sort_key(result.nodes), calls[0] - calls[1]


def main():
    seeds = int(sys.argv[1])
    names = {name: getattr(st, name) for name in st.__all__ if name.isidentifier()}
    names.update(search_trees=search_trees, flat_maps=flat_maps)
    own = dict(globals())
    for line in sys.stdin:
        name, strategy, fails = line.rstrip("\n").split("\t")
        strategy = eval(strategy, dict(own, **names))
        fails = eval("lambda v: " + fails, own)
        results = [shrink(strategy, fails, number) for number in range(seeds)]
        results = [result for result in results if result is not None]
        if not results:
            continue
        counts = Counter(str(key) for key, _ in results)
        share = counts[str(min(key for key, _ in results))] / len(results)
        calls = sum(calls for _, calls in results) / len(results)
        print(f"{name}\t{share:.3f}\t{calls:.1f}", flush=True)


main()
