"""Computes every example's result a second time, in plain Python, and compares it with the recorded one.

The engine and the language have no part in it. Run: pip install pyarrow; python3 examples/verify.py
"""
import csv, gzip, json, math, pathlib
from collections import Counter, defaultdict
from datetime import date
from decimal import Decimal, ROUND_HALF_UP

import pyarrow.parquet

here = pathlib.Path(__file__).parent
data = here / "data"


def rows_of_csv(name):
    with open(data / name, newline="") as f:
        return list(csv.DictReader(f))


def load(name):
    opener = gzip.open if name.endswith(".gz") else open
    with opener(data / name, "rt") as f:
        return json.load(f)


def half_up(x, digits):
    return float(Decimal(repr(x)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


def mean(values):
    values = [v for v in values if v is not None]
    return math.fsum(values) / len(values)


def groups(rows, key):
    found = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return sorted(found.items())


flights, airports = load("flights-2k.json"), rows_of_csv("airports.csv")
weather = [dict(r, date=r["date"], **{k: float(r[k]) for k in ("precipitation", "temp_max", "temp_min")}) for r in rows_of_csv("seattle-weather.csv")]
by_iata = {a["iata"]: a for a in airports}


def longest_delays():
    late = sorted((f for f in flights if f["delay"] > 120), key=lambda f: (-f["delay"], f["date"]))
    return [{k: f[k] for k in ("date", "origin", "destination", "delay")} for f in late]


def delay_by_airport():
    found = [{"iata": o, "name": by_iata[o]["name"], "departures": len(g), "mean_delay": half_up(mean([f["delay"] for f in g]), 2)}
             for o, g in groups(flights, lambda f: f["origin"]) if o in by_iata and len(g) >= 40]
    return sorted(found, key=lambda r: (-r["mean_delay"], r["iata"]))


def films_by_decade():
    films = []
    for m in load("movies.json.gz"):
        if (m["IMDB Votes"] or 0) <= 20000:
            continue
        released = m["Release Date"]
        if released is not None and released[-4:].isdigit() and int(released[-4:]) < 2012:
            films.append((int(released[-4:]) // 10 * 10, str(m["Title"]), m["IMDB Rating"], m["IMDB Votes"]))
    return [{"decade": d, "films": len(g), "best": [{"title": t, "rating": float(r)} for _, t, r, _ in sorted(g, key=lambda f: (-f[2], -f[3]))[:3]]}
            for d, g in groups(films, lambda f: f[0])]


def weather_by_month():
    found = []
    for month, g in groups(weather, lambda w: int(w["date"][5:7])):
        hottest = max(g, key=lambda w: w["temp_max"])
        found.append({"month": month, "mean_high": half_up(mean([w["temp_max"] for w in g]), 1),
                      "wet_percent": half_up(100.0 * sum(w["precipitation"] > 0 for w in g) / len(g), 1),
                      "hottest": hottest["temp_max"], "hottest_day": hottest["date"]})
    return found


def sudden_cold():
    days = sorted(weather, key=lambda w: w["date"])
    falls = [{"date": b["date"], "day_before": a["temp_max"], "temp_max": b["temp_max"], "fall": half_up(a["temp_max"] - b["temp_max"], 1)} for a, b in zip(days, days[1:])]
    return sorted(falls, key=lambda r: (-r["fall"], r["date"]))[:5]


def penguins_by_island():
    return [{"species": s, "penguins": len(g), "islands": [
        {"island": i, "penguins": len(h), "grams": half_up(mean([p["Body Mass (g)"] for p in h]), 0)} for i, h in groups(g, lambda p: p["Island"])]}
        for s, g in groups(load("penguins.json"), lambda p: p["Species"])]


def thrifty_cars():
    found = []
    for origin, g in groups([c for c in load("cars.json") if c["Miles_per_Gallon"] is not None], lambda c: c["Origin"]):
        best = max(g, key=lambda c: c["Miles_per_Gallon"])
        mpg = float(best["Miles_per_Gallon"])
        found.append({"origin": origin, "car": best["Name"], "mpg": mpg, "above_mean": half_up(mpg - mean([c["Miles_per_Gallon"] for c in g]), 2)})
    return found


def fifty_years():
    people = pyarrow.parquet.read_table(data / "gapminder.parquet").to_pylist()
    at = {(p["country"], p["year"]): p["life_expect"] for p in people}
    found = [{"country": c, "in_1955": a, "in_2005": at[c, 2005], "gained": half_up(at[c, 2005] - a, 2)} for (c, y), a in at.items() if y == 1955]
    return sorted(found, key=lambda r: (-r["gained"], r["country"]))[:8]


def busiest_routes():
    total = Counter()
    for r in rows_of_csv("flights-airport.csv"):
        total[tuple(sorted((r["origin"], r["destination"])))] += int(r["count"])
    return [{"from_name": by_iata[a]["name"], "to_name": by_iata[b]["name"], "flights": n} for (a, b), n in total.most_common(6)]


def airports_of_small_states():
    return [{"state": s, "n": len(g), "airports": sorted(a["iata"] for a in g)} for s, g in groups(airports, lambda a: a["state"]) if len(g) <= 5]


def health_by_region():
    found = []
    for region, g in groups(rows_of_csv("gapminder-health-income.csv"), lambda r: r["region"]):
        people = sum(int(r["population"]) for r in g)
        health = math.fsum(float(r["health"]) * int(r["population"]) for r in g) / people
        found.append({"region": region, "people": people, "health": half_up(health, 2),
                      "poorest": min(g, key=lambda r: float(r["income"]))["country"], "richest": max(g, key=lambda r: float(r["income"]))["country"]})
    return sorted(found, key=lambda r: r["health"])


def seasons():
    name = {12: "winter", 1: "winter", 2: "winter", 3: "spring", 4: "spring", 5: "spring", 6: "summer", 7: "summer", 8: "summer", 9: "autumn", 10: "autumn", 11: "autumn"}
    return [{"season": s, "days": len(g), "sunny": sum(w["weather"] == "sun" for w in g), "rain_mm": half_up(math.fsum(w["precipitation"] for w in g), 1)}
            for s, g in groups(weather, lambda w: name[int(w["date"][5:7])])]


def as_the_crow_flies():
    legs = {}
    for f in flights:
        a, b = by_iata.get(f["origin"]), by_iata.get(f["destination"])
        if a is None or b is None:
            continue
        la, lo, lb, mo = (math.radians(float(v)) for v in (a["latitude"], a["longitude"], b["latitude"], b["longitude"]))
        h = math.sin((lb - la) / 2) ** 2 + math.cos(la) * math.cos(lb) * math.sin((mo - lo) / 2) ** 2
        miles = half_up(2 * 3958.8 * math.asin(math.sqrt(h)), 0)
        legs[f["origin"], f["destination"], f["distance"]] = miles
    found = [{"origin": o, "destination": d, "distance": n, "miles": m, "difference": abs(n - m)} for (o, d, n), m in legs.items()]
    return sorted(found, key=lambda r: (-r["difference"], r["origin"], r["destination"]))[:5]


checks = [longest_delays, delay_by_airport, films_by_decade, weather_by_month, sudden_cold, penguins_by_island, thrifty_cars, fifty_years,
          busiest_routes, airports_of_small_states, health_by_region, seasons, as_the_crow_flies]
failed = 0
for path, check in zip(sorted((here / "queries").glob("*.result")), checks, strict=True):
    recorded = [json.loads(line) for line in path.read_text().splitlines()]
    same = recorded == check()
    failed += not same
    print("same" if same else "DIFFERENT", path.stem)
    if not same:
        for a, b in zip(recorded, check()):
            if a != b:
                print("  recorded", a, "\n  computed", b)
raise SystemExit(failed != 0)
