"""Reads the golden results with readers that are not ours: Python's json, csv and sqlite3, pyarrow and fastavro.

Argument: a folder with goldens.json, the names in order, and `<place>.<format>` for each format that holds the result.
Prints a JSON object: of each golden, what each format came to: "same", "refused", or what was found in place of what.
What is expected stands in golden_expected.py, written by hand.
"""
import csv, decimal, io, json, math, pathlib, re, sqlite3, struct, sys
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet

try:
    import fastavro, fastavro.read
except ImportError:
    fastavro = None  # the schemas are compared with the columns all the same

from golden_expected import EXPECTED, Any, Bytes, Day, Moment, Single, Span, Time


decimal.getcontext().prec = 60


class Number(str):
    """A number of JSON, as it stands there."""


class Text(Exception):
    """A difference."""


def need(is_so, text):
    if not is_so:
        raise Text(text)


def same_float(found, wanted, is_single=False):
    narrow = (lambda x: struct.pack("f", x)) if is_single else (lambda x: struct.pack("d", x))
    return math.isnan(found) if math.isnan(wanted) else narrow(found) == narrow(wanted)


# JSON: numbers are looked at as they are written.
def check_json(found, wanted):
    if isinstance(wanted, Any):
        need(found == parse_json(wanted.text), f"{found!r}, not {wanted!r}")
    elif isinstance(wanted, dict):
        need(isinstance(found, dict) and list(found) == list(wanted), f"{found!r}, not {wanted!r}")
        for name in wanted:
            check_json(found[name], wanted[name])
    elif isinstance(wanted, list):
        need(isinstance(found, list) and len(found) == len(wanted), f"{found!r}, not {wanted!r}")
        for a, b in zip(found, wanted):
            check_json(a, b)
    elif isinstance(wanted, (float, Single)):
        value = float(wanted)
        is_same = found is None if not math.isfinite(value) else is_number(found) and same_float(float(found), value, isinstance(wanted, Single))
        need(is_same, f"{found!r}, not {wanted!r}")
    elif wanted is None or isinstance(wanted, bool):
        need(found is wanted, f"{found!r}, not {wanted!r}")
    elif isinstance(wanted, (int, Decimal)):
        need(is_number(found) and found == in_full(wanted), f"{found!r}, not {wanted!r}")
    else:
        need(type(found) is str and found == as_text(wanted), f"{found!r}, not {wanted!r}")


def is_number(found):
    return isinstance(found, Number)


def parse_json(text):
    def refuse(constant):
        raise Text(f"{constant} is no JSON")

    return json.loads(text, parse_int=Number, parse_float=Number, parse_constant=refuse)


def in_full(number):
    """All digits, and no zero behind the last."""
    return format(number.normalize(), "f") if isinstance(number, Decimal) else str(number)


def as_text(wanted):
    return wanted if isinstance(wanted, str) else wanted.text


# CSV has text only.
def check_cell(found, wanted):
    if isinstance(wanted, (float, Single)):
        names = {math.inf: "Infinity", -math.inf: "-Infinity"}
        value = float(wanted)
        name = "NaN" if math.isnan(value) else names.get(value)
        need(found == name if name else same_float(float(found), value, isinstance(wanted, Single)), f"{found!r}, not {wanted!r}")
    elif isinstance(wanted, bool):
        need(found == str(wanted).lower(), f"{found!r}, not {wanted!r}")
    elif isinstance(wanted, (int, Decimal)):
        need(found == in_full(wanted), f"{found!r}, not {wanted!r}")
    else:
        need(found == ("" if wanted is None else as_text(wanted)), f"{found!r}, not {wanted!r}")


# SQLite: storage classes, too.
def check_stored(found, wanted):
    if isinstance(wanted, (float, Single)):
        value = float(wanted)
        if math.isnan(value):
            need(found is None, f"{found!r}, not {wanted!r}")
        else:  # its engine knows no negative zero
            need(type(found) is float and (found == value or same_float(found, value, isinstance(wanted, Single))), f"{found!r}, not {wanted!r}")
    elif isinstance(wanted, Bytes):
        need(found == wanted.bytes, f"{found!r}, not {wanted!r}")
    elif wanted is None or isinstance(wanted, int):
        need(found is None if wanted is None else type(found) is int and found == int(wanted), f"{found!r}, not {wanted!r}")
    else:
        text = in_full(wanted) if isinstance(wanted, Decimal) else as_text(wanted)
        need(type(found) is str and found == text, f"{found!r}, not {wanted!r}")


# Parquet: numbers of days and microseconds, which have no last year.
def cells(column):
    kind = column.type
    if pa.types.is_list(kind):
        inner = cells(column.values)
        return [inner[a.as_py() : b.as_py()] if v.is_valid else None for a, b, v in zip(column.offsets, column.offsets[1:], column)]
    if pa.types.is_struct(kind):
        fields = [(kind.field(i).name, cells(column.field(i))) for i in range(kind.num_fields)]
        return [{name: values[i] for name, values in fields} if v.is_valid else None for i, v in enumerate(column)]
    if pa.types.is_date32(kind):
        return column.cast(pa.int32()).to_pylist()
    if pa.types.is_timestamp(kind) or pa.types.is_time64(kind):
        need(kind in (pa.timestamp("us"), pa.time64("us")), f"the type {kind}")  # and no zone
        return column.cast(pa.int64()).to_pylist()
    return column.to_pylist()


def check_columnar(found, wanted, is_avro):
    if isinstance(wanted, dict):
        if len(wanted) == 0:
            need(found is True, f"{found!r}, not a record of nothing")
            return
        need(isinstance(found, dict) and list(found) == file_names(list(wanted), is_avro), f"{found!r}, not {wanted!r}")
        for a, b in zip(found.values(), wanted.values()):
            check_columnar(a, b, is_avro)
    elif isinstance(wanted, list):
        need(isinstance(found, list) and len(found) == len(wanted), f"{found!r}, not {wanted!r}")
        for a, b in zip(found, wanted):
            check_columnar(a, b, is_avro)
    elif isinstance(wanted, (float, Single)):
        need(type(found) is float and same_float(found, float(wanted), isinstance(wanted, Single)), f"{found!r}, not {wanted!r}")
    elif isinstance(wanted, Any):
        need(parse_json(found) == parse_json(wanted.text), f"{found!r}, not {wanted!r}")
    elif isinstance(wanted, (Day, Time, Moment)):
        need(found == wanted.count, f"{found!r}, not {wanted!r}")
    elif isinstance(wanted, Bytes):
        need(found == wanted.bytes, f"{found!r}, not {wanted!r}")
    else:
        value = wanted.text if isinstance(wanted, Span) else wanted
        need(type(found) is type(value) and found == value, f"{found!r}, not {wanted!r}")


def file_names(names, is_avro=False):
    """Names as files have them: none without characters or with a NUL, none twice without regard to case; Avro's alphabet."""
    taken, result = set(), []
    for name in names:
        if is_avro:
            name = re.sub(r"^(?=[0-9])", "_", re.sub(r"[^A-Za-z0-9_]", "_", name))
        base = name.replace("\0", "\u2400") or "_"
        name, number = base, 1
        while name.lower() in taken:
            number += 1
            name = f"{base}_{number}"
        taken.add(name.lower())
        result.append(name)
    return result


# Avro: the schema describes the columns, and its library writes and reads the rows with it.
for logical in ("int-date", "long-time-micros", "long-local-timestamp-micros") if fastavro else ():
    fastavro.read.LOGICAL_READERS[logical] = lambda data, *_: data  # numbers, since Python has no year 0

AVRO_OF = {
    pa.int8(): "int", pa.int16(): "int", pa.int32(): "int", pa.int64(): "long", pa.float32(): "float", pa.float64(): "double",
    pa.bool_(): "boolean", pa.string(): "string", pa.binary(): "bytes", pa.date32(): "date", pa.time64("us"): "time-micros",
    pa.timestamp("us"): "local-timestamp-micros",
}  # fmt: skip


def check_schema(schema, kind, named):
    if isinstance(schema, list):
        need(schema[0] == "null" and len(schema) == 2, f"the union {schema}")
        schema = schema[1]
    if isinstance(schema, str) and schema in named:
        schema = named[schema]
    if isinstance(schema, dict) and "name" in schema:
        named[schema["name"]] = schema
    if pa.types.is_struct(kind):
        need(schema["type"] == "record" and [f["name"] for f in schema["fields"]] == [f.name for f in kind], f"{schema}, not {kind}")
        for field, inner in zip(schema["fields"], kind):
            check_schema(field["type"], inner.type, named)
    elif pa.types.is_list(kind):
        need(schema["type"] == "array", f"{schema}, not {kind}")
        check_schema(schema["items"], kind.value_type, named)
    elif pa.types.is_decimal(kind):
        digits = (schema["type"], schema["logicalType"], schema["size"], schema["precision"], schema["scale"])
        need(digits == ("fixed", "decimal", 16, kind.precision, kind.scale), f"{schema}, not {kind}")
    else:
        name = schema["logicalType"] if isinstance(schema, dict) else schema
        need(AVRO_OF[kind] == name, f"{schema}, not {kind}")


def check_avro(table, rows):
    schema = json.loads(table.schema.metadata[b"parquet.avro.schema"])
    check_schema(schema, pa.struct(list(table.schema)), {})
    if fastavro is None:
        return
    out = io.BytesIO()
    fastavro.writer(out, fastavro.parse_schema(schema), rows, strict=True)
    back = list(fastavro.reader(io.BytesIO(out.getvalue())))
    need(repr(plain(back)) == repr(plain(rows)), f"an Avro library read {back!r} in place of {rows!r}")


def plain(value):
    """Floats as Avro keeps them, decimals without zeros that say nothing."""
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    return in_full(value) if isinstance(value, Decimal) else value


def records_of(expected):
    """The rows of a flat or columnar file, and the names of its columns before they are made fit for files."""
    rows = expected.rows
    if expected.fields is None:
        return ["value"], [{"value": row} for row in rows]
    return expected.fields, [row if row is not None else dict.fromkeys(expected.fields) for row in rows]


def check(form, body, expected):
    if form == "json":
        check_json(parse_json(body.decode()), expected.rows if expected.is_collection else expected.rows[0])
        need(body.endswith(b"\n"), "no line end")
    elif form == "hjson":
        *lines, rest = body.decode().split("\n")
        need(rest == "" and len(lines) == len(expected.rows), f"{len(lines)} lines")
        for line, row in zip(lines, expected.rows):
            check_json(parse_json(line), row)
    elif form == "csv":
        names, rows = records_of(expected)
        header, *found = csv.reader(io.StringIO(body.decode(), newline=""))
        need(header == names and len(found) == len(rows), f"{header}, {len(found)} rows")
        for cells_found, row in zip(found, rows):
            cells_found = cells_found or [""]  # its reader takes an empty line for no cell
            need(len(cells_found) == len(names), f"{cells_found}")
            for a, b in zip(cells_found, row.values()):
                check_cell(a, b)
    elif form == "sqlite":
        check_sqlite(body, *records_of(expected))
    else:
        check_parquet(body, *records_of(expected), is_avro=form == "parquet-avro")


def check_sqlite(body, names, rows):
    database = sqlite3.connect(":memory:")
    database.deserialize(body)
    need(database.execute("PRAGMA integrity_check").fetchone() == ("ok",), "the database is broken")
    cursor = database.execute("SELECT * FROM result ORDER BY rowid")
    need([column[0] for column in cursor.description] == file_names(names), f"{cursor.description}")
    found = cursor.fetchall()
    need(len(found) == len(rows), f"{len(found)} rows")
    for stored, row in zip(found, rows):
        for a, b in zip(stored, row.values()):
            check_stored(a, b)


def check_parquet(body, names, rows, is_avro):
    table = pyarrow.parquet.read_table(io.BytesIO(body))
    need(table.column_names == file_names(names, is_avro), f"{table.column_names}")
    columns = [cells(column.combine_chunks()) for column in table.columns]
    found = [dict(zip(table.column_names, row)) for row in zip(*columns)]
    need(len(found) == table.num_rows == len(rows), f"{len(found)} rows")
    for stored, row in zip(found, rows):
        for a, b in zip(stored.values(), row.values()):
            check_columnar(a, b, is_avro)
    if is_avro:
        check_avro(table, found)


def outcome(path, form, expected):
    if not path.exists():
        return "refused"
    try:
        check(form, path.read_bytes(), expected)
        return "same"
    except Text as difference:
        return str(difference)


folder = pathlib.Path(sys.argv[1])
goldens = json.loads((folder / "goldens.json").read_text())
formats = ["hjson", "json", "csv", "sqlite", "parquet-avro", "parquet-raw"]
print(json.dumps({name: {form: outcome(folder / f"{i}.{form}", form, EXPECTED[name]) for form in formats} for i, name in enumerate(goldens)}))
