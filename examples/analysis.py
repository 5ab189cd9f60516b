"""Ask the results of a run with DuckDB: who wins, whether it helps to begin, and whether a difference is real.

    cluedo autoplay --players easy,medium,hard,expert --games 1000 --out results/four
    python examples/analysis.py results/four

The `# %%` lines divide it into cells in editors that know notebooks (VS Code, Spyder, PyCharm, Jupytext).
"""

# %% The rows: one for each seat of each game. Their columns are listed under "Results" in docs/formats.md.
import sys

import duckdb
import numpy as np

folder = sys.argv[1] if len(sys.argv) > 1 else "results/four"
seats = duckdb.read_parquet(f"{folder}/chunks/*.parquet")
((rows, games),) = duckdb.execute("SELECT count(*), count(DISTINCT game) FROM seats").fetchall()
print(f"{rows:,} seats of {games:,} games\n")

# %% Who wins, how many questions that takes, and how many games a wrong accusation cost.
print("Who wins")
print(
    duckdb.sql("""
        SELECT level,
               round(100 * avg(won::INT), 1) AS "won, %",
               round(avg(hypotheses), 1) AS "questions a game",
               round(avg(own_turns) FILTER (won), 1) AS "turns of a winner",
               sum(accused) - sum(won::INT) AS "lost by accusing"
        FROM seats GROUP BY level ORDER BY 2 DESC""")
)

# %% Does it help to begin? The order of play starts at the seat that began.
print("Who begins")
print(
    duckdb.sql("""
        WITH placed AS (SELECT *, count(*) OVER (PARTITION BY game) AS players FROM seats)
        SELECT (seat::INT - first::INT + players) % players + 1 AS "place in the order of play",
               count(*) AS games,
               round(100 * avg(won::INT), 1) AS "won, %"
        FROM placed GROUP BY 1 ORDER BY 1""")
)

# %% Is expert better than hard, or lucky? Games of one deal are related, so the deal is what is drawn at random:
# the difference of each deal, its mean, and a bootstrap over deals.
lead = np.array(
    duckdb.execute("""
        SELECT coalesce(avg(won::INT) FILTER (level = 'expert') - avg(won::INT) FILTER (level = 'hard'), 0)
        FROM seats GROUP BY deal ORDER BY deal""").fetchall()
)[:, 0]
random = np.random.default_rng(0)
means = random.choice(lead, (2000, len(lead))).mean(axis=1)
low, high = 100 * np.percentile(means, [2.5, 97.5])
print(f"expert leads hard by {100 * lead.mean():.1f} points per seat, 95 % interval {low:.1f} to {high:.1f}")
