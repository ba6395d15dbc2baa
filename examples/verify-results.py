"""Reads a result in every format with readers that are not ours, and compares each value with what was asked for.

Needs a running local stack. Run: pip install pyarrow fastavro requests
python3 examples/verify-results.py --url http://127.0.0.1:8081 --token "$(npm run -s token)"
"""
import argparse, base64, csv, decimal, http.client, io, itertools, json, math, pathlib, sqlite3, struct, tempfile, urllib.parse, urllib.request
from datetime import date, datetime, time
from decimal import Decimal

import fastavro
import pyarrow.parquet
import requests

options = argparse.ArgumentParser()
options.add_argument("--url", default="http://127.0.0.1:8081")
options.add_argument("--token", required=True)
options = options.parse_args()
decimal.getcontext().prec = 60
headers = {"Authorization": f"Bearer {options.token}", "Content-Type": "text/plain"}

PLANES = "é中\ufeff\u2028\uffff\U00010348\U0001f600\U00020000\U00030000\U000e0001\U000f0000\U0010ffff"
LINES = "a\nb\rc\r\nd\0e\tf, \"g\" 'h' \\ ; 1"
CUT = "SELECT x, 1 / (x - 900000) AS y FROM RANGE(0, 1000000) x"


def text(value):
    """A string of the query language."""
    return '"' + "".join(c if c.isalnum() and c.isascii() else "\\u{%x}" % ord(c) for c in value) + '"'


# name, expression of the query language, the value; None in the second row
CELLS = [
    ("byte", "CAST(-128 AS byte)", -128),
    ("short", "CAST(32767 AS short)", 32767),
    ("int", "-2147483648", -2147483648),
    ("long", "9223372036854775807", 9223372036854775807),
    ("odd", "9007199254740993", 9007199254740993),
    ("float", "CAST(0.1 AS float)", 0.1),
    ("double", "0.30000000000000004", 0.30000000000000004),
    ("tiny", "5e-324", 5e-324),
    ("nan", "NaN", math.nan),
    ("inf", "Inf", math.inf),
    ("minf", "-Inf", -math.inf),
    ("decimal", "12345678901234567890.123456789012345678q", Decimal("12345678901234567890.123456789012345678")),
    ("negative", "-0.5q", Decimal("-0.5")),
    ("bool", "TRUE", True),
    ("lines", text(LINES), LINES),
    ("planes", text(PLANES), PLANES),
    ("empty", '""', ""),
    ("date", 'date "1969-07-20"', date(1969, 7, 20)),
    ("time", 'time "23:59:59.999999"', time(23, 59, 59, 999999)),
    ("timestamp", 'timestamp "1950-12-25 01:02:03.000007"', datetime(1950, 12, 25, 1, 2, 3, 7)),
    ("interval", 'interval "1 year 2 months 3 days 4 hours 5 minutes 6.007 seconds"', "P1Y2M3DT4H5M6.007S"),
    ("back", '- interval "01:30:00"', "PT-1H-30M"),
    ("binary", 'FROM_BASE64("AP8KDQ==")', b"\x00\xff\n\r"),
]
ROWS = [[value for _, _, value in CELLS], [None] * len(CELLS)]
NAMES = [name for name, _, _ in CELLS]
FLAT = "SELECT %s FROM [1, 2] x" % ", ".join(f"IF x = 1 THEN {expression} ELSE NULL AS `{name}`" for name, expression, _ in CELLS)
NESTED = '[(id: 1, tags: ["a", NULL], at: (`x.y`: 1.5q, since: date "2020-01-01")), (id: 2, tags: NULL, at: NULL)]'


def ask(query, form):
    request = urllib.request.Request(f"{options.url}/query", query.encode(), {**headers, "X-SVC-output-format": form})
    with urllib.request.urlopen(request) as response:
        return response.read()


def stamp(value):
    """A time as JSON has it."""
    spec = "milliseconds" if value.microsecond % 1000 == 0 else "microseconds"
    return value.isoformat(timespec=spec)


def in_json(value):
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, (datetime, time)):
        return stamp(value)
    if isinstance(value, date):
        return value.isoformat()
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value


def in_csv(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    return "" if value is None else in_json(value)


def in_sqlite(value):
    if isinstance(value, float) and math.isnan(value):
        return None
    return str(value) if isinstance(value, Decimal) else value if isinstance(value, (bytes, float)) else in_json(value)


def same(found, wanted, what):
    assert len(found) == len(wanted), f"{what}: {len(found)} values, not {len(wanted)}"
    for name, a, b in zip(NAMES, found, wanted):
        is_same = math.isnan(a) if isinstance(b, float) and math.isnan(b) else a == b and isinstance(a, type(b))
        assert is_same, f"{what}, {name}: {a!r}, not {b!r}"


def check_json(body, is_lines):
    decimals = {"decimal", "negative"}
    documents = body.decode().split("\n")[:-1] if is_lines else [body.decode()]
    read = [json.loads(d, parse_float=lambda t: Decimal(t)) for d in documents]
    rows = read if is_lines else read[0]
    for row, wanted in zip(rows, ROWS, strict=True):
        found = [float(v) if isinstance(v, Decimal) and n not in decimals else v for n, v in row.items()]
        assert list(row) == NAMES
        same(found, [in_json(v) for v in wanted], "hjson" if is_lines else "json")


def check_csv(body):
    header, *rows = csv.reader(io.StringIO(body.decode(), newline=""), lineterminator="\n")
    assert header == NAMES
    for row, wanted in zip(rows, ROWS, strict=True):
        found = [type(w)(c) if isinstance(w, (int, float, Decimal)) and not isinstance(w, bool) else c for c, w in zip(row, wanted)]
        cells = [w if isinstance(w, (int, float, Decimal)) and not isinstance(w, bool) else in_csv(w) for w in wanted]
        same(found, cells, "csv")


def check_sqlite(body, folder):
    path = folder / "result.db"
    path.write_bytes(body)
    database = sqlite3.connect(path)
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    cursor = database.execute("SELECT * FROM result")
    assert [column[0] for column in cursor.description] == NAMES
    for row, wanted in zip(cursor.fetchall(), ROWS, strict=True):
        same(list(row), [int(v) if isinstance(v, bool) else in_sqlite(v) for v in wanted], "sqlite")
    database.close()


def check_parquet(body, form):
    file = pyarrow.parquet.ParquetFile(io.BytesIO(body))
    for row, wanted in zip(file.read().to_pylist(), ROWS, strict=True):
        assert list(row) == NAMES
        widened = [single(v) if n == "float" and v is not None else v for n, v in zip(NAMES, wanted)]
        same(list(row.values()), widened, form)


def single(value):
    """The double of the nearest float."""
    return struct.unpack("f", struct.pack("f", value))[0]


def check_avro(body):
    """Rows that are written with the schema of the file, by an Avro library, come back as they are."""
    file = pyarrow.parquet.ParquetFile(io.BytesIO(body))
    schema = fastavro.parse_schema(json.loads(file.metadata.metadata[b"parquet.avro.schema"]))
    rows = file.read().to_pylist()
    out = io.BytesIO()
    fastavro.writer(out, schema, rows, strict=True)
    back = list(fastavro.reader(io.BytesIO(out.getvalue())))
    assert [[str(v) for v in row.values()] for row in back] == [[str(v) for v in row.values()] for row in rows]
    return schema


def check_ends():
    """A query that fails after its first byte ends so that every client notices."""
    for form in ["hjson", "json", "csv", "parquet-avro", "parquet-raw"]:
        where = urllib.parse.urlsplit(options.url)
        connection = http.client.HTTPConnection(where.hostname, where.port)
        connection.request("POST", "/query", CUT, {**headers, "X-SVC-output-format": form})
        response = connection.getresponse()
        assert response.status == 200
        expect(http.client.IncompleteRead, response.read, f"http.client, {form}")
        connection.close()
        expect(
            requests.exceptions.ChunkedEncodingError,
            lambda: requests.post(f"{options.url}/query", CUT, headers={**headers, "X-SVC-output-format": form}),
            f"requests, {form}",
        )
    answer = requests.post(f"{options.url}/query", CUT, headers={**headers, "X-SVC-output-format": "sqlite"})
    assert answer.status_code == 400 and answer.json()["runtimeError"]["message"] == "/ by zero"


def check_max_bytes():
    """Text of at most so many bytes ends after the last whole value that fits, to the byte."""
    values = ["a", "\u00e9", "\u4e2d\u6587", "\U0001f600\U0001f600", "l\nm", 'q"', "", "end"]
    query = f"[{', '.join(text(value) for value in values)}]"
    for form, end in itertools.product(["hjson", "json", "csv"], ["\n", "\n\r"]):
        own = {**headers, "X-SVC-output-format": form, "X-SVC-windows-line-ending": str(end == "\n\r").lower()}
        if form == "json":
            parts = [json.dumps(value, ensure_ascii=False) for value in values]
            bodies = [f"[{','.join(parts[:count])}]\n" for count in range(len(parts) + 1)]
        else:
            parts = [quoted(value) if form == "csv" else json.dumps(value, ensure_ascii=False) for value in values]
            first = "value" + end if form == "csv" else ""
            bodies = [first + "".join(part + end for part in parts[:count]) for count in range(len(parts) + 1)]
        bodies = [body.encode() for body in bodies]
        for limit in sorted({len(body) + more for body in bodies for more in (-1, 0, 1)} - {-1, 0}):
            answer = requests.post(f"{options.url}/query", query, headers={**own, "X-SVC-max-bytes": str(limit)})
            fits = [body for body in bodies if len(body) <= limit]
            found = (answer.status_code, answer.content, answer.headers.get("X-SVC-Truncated"))
            wanted = (200, fits[-1], "true" if len(fits) < len(bodies) else None) if fits else (400, answer.content, None)
            assert found == wanted, f"{form}, {limit} bytes: {found}, not {wanted}"
    for form in ["sqlite", "parquet-avro", "parquet-raw"]:
        own = {**headers, "X-SVC-output-format": form}
        size = len(ask(query, form))
        found = [requests.post(f"{options.url}/query", query, headers={**own, "X-SVC-max-bytes": str(size + more)}).status_code for more in (-1, 0, 1)]
        assert found == [400, 200, 200], f"{form}: {found}"


def quoted(value):
    """A cell of CSV."""
    return '"' + value.replace('"', '""') + '"' if value == "" or any(c in ',"\r\n' for c in value) else value


def expect(error, act, what):
    try:
        act()
    except error:
        return
    raise AssertionError(f"{what}: a broken body was taken for a whole one")


with tempfile.TemporaryDirectory() as folder:
    check_json(ask(FLAT, "hjson"), True)
    check_json(ask(FLAT, "json"), False)
    check_csv(ask(FLAT, "csv"))
    check_sqlite(ask(FLAT, "sqlite"), pathlib.Path(folder))
    check_parquet(ask(FLAT, "parquet-raw"), "parquet-raw")
    check_parquet(ask(FLAT, "parquet-avro"), "parquet-avro")
    check_avro(ask(FLAT, "parquet-avro"))
    rows = pyarrow.parquet.read_table(io.BytesIO(ask(NESTED, "parquet-raw"))).to_pylist()
    wanted = [{"id": 1, "tags": ["a", None], "at": {"x.y": Decimal("1.5"), "since": date(2020, 1, 1)}}, {"id": 2, "tags": None, "at": None}]
    assert rows == wanted, rows
    avro = pyarrow.parquet.read_table(io.BytesIO(ask(NESTED, "parquet-avro"))).to_pylist()
    assert avro == [{**row, "at": row["at"] and {"x_y": Decimal("1.5"), "since": date(2020, 1, 1)}} for row in wanted], avro
    schema = check_avro(ask(NESTED, "parquet-avro"))
    assert [field["name"] for field in schema["fields"]] == ["id", "tags", "at"]
    check_ends()
    check_max_bytes()
print("same")
