"""What each golden result holds, in words of Python: written by hand, from what is asked for in golden-values.ts."""
import base64, math
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Single:
    """A float of 32 bits."""

    value: float

    def __float__(self):
        return float(self.value)


@dataclass(frozen=True)
class Written:
    """What a format has as text, or as a number."""

    text: str
    count: int | None = None


class Day(Written):
    """Counted in days since 1970."""


class Time(Written):
    """Counted in microseconds."""


class Moment(Written):
    """Counted in microseconds since 1970."""


class Span(Written):
    pass


class Any(Written):
    pass


@dataclass(frozen=True)
class Bytes:
    bytes: bytes

    @property
    def text(self):
        return base64.b64encode(self.bytes).decode()


@dataclass(frozen=True)
class Result:
    rows: list
    is_collection: bool = True
    fields: list | None = None
    """Of its records; None where it has none."""


def of_records(*rows, fields, is_collection=True):
    return Result(list(rows), is_collection, fields)


ROW_FIELDS = ["id", "name", "price", "day", 'odd, "name"']
ANN = dict(zip(ROW_FIELDS, [9007199254740993, "Ann", Decimal("1.5"), Day("1969-07-20", -165), 0.5]))
BO = dict(zip(ROW_FIELDS, [-1, 'Bo, "jr"', None, None, math.inf]))
PLANES = "é中\ufeff\u2028\uffff\U00010348\U0001f600\U00020000\U00030000\U000e0001\U000f0000\U0010fffd\U0010ffff"
INSIDE = {
    "doubles": [math.nan, -math.inf, -0.0],
    "longs": [9223372036854775807],
    "times": [Time("23:59:59.999999", 86399999999)],
    "bytes": [Bytes(b"\x00\xff")],
    "spans": [Span("P-60D")],
}
NESTED = [
    {
        "id": 1,
        "tags": ["a", None, ""],
        "at": {
            "since": Span("PT-1H"),
            "no.1": [{"Price": Decimal("1.5"), "price": Any('{"x": 1}')}, {"Price": Decimal("-2"), "price": Any("[null]")}],
        },
    },
    {"id": 2, "tags": [], "at": {"since": Span("P1M"), "no.1": []}},
    {"id": 3, "tags": None, "at": None},
]
COLLIDING = {"a": 1, "A": "x", "a-b": 2, "a_b": 3, "1st": 4, "é": 5, "": 6}
HARD = {"line\nend": 1, "return\r": 2, 'quo"te': 3, "apo'strophe": 4, "back\\slash": 5, "NU\0L": 6, "中😀": 7}

EXPECTED = {
    "byte": Result([-128, 127, None]),
    "short": Result([-32768, 32767, None]),
    "int": Result([-2147483648, 2147483647, None]),
    "long": Result([-(2**63), 2**63 - 1, 2**53 + 1, None]),
    "float": Result([*map(Single, [0.1, 1e20, 2.0**-126, (2 - 2.0**-23) * 2.0**127, math.nan, math.inf, -math.inf]), None]),
    "double": Result([0.1, 1e300, 2.0**-1074, (2 - 2.0**-52) * 2.0**1023, 12345678901234567.0, -0.0, math.nan, math.inf, -math.inf, None]),
    "decimal": Result(
        [
            Decimal("12345678901234567890.123456789012345678"),
            Decimal("-99999999999999999999.999999999999999999"),
            Decimal("1e-18"),
            Decimal("-0.5"),
            Decimal(100),
            Decimal(0),
            None,
        ]
    ),
    "bool": Result([True, False, None]),
    "string": Result(["plain", "", " ", "NULL", "it's", 'a "quoted" one', "comma, semicolon; tab", "back\\slash", "1", None]),
    "string with line ends and NUL": Result([f"<{s}>" for s in ["\n", "\r", "\r\n", "\n\r", "\0", "\t", "\x01\x1f\x7f", PLANES]]),
    "date": Result(
        [
            Day("1969-12-31", -1),
            Day("1970-01-01", 0),
            Day("0001-01-01", -719162),
            Day("9999-12-31", 2932896),
            Day("2024-02-29", 19782),
            Day("0000-12-31", -719163),
            Day("-0043-03-15", -735160),
            None,
        ]
    ),
    "time": Result(
        [
            Time("00:00:00.000", 0),
            Time("01:02:03.500", 3723500000),
            Time("23:59:59.999999", 86399999999),
            Time("12:00:00.000001", 43200000001),
            None,
        ]
    ),
    "timestamp": Result(
        [
            Moment("1969-12-31T23:59:59.999999", -1),
            Moment("1970-01-01T00:00:00.000", 0),
            Moment("0001-01-01T00:00:00.001", -719162 * 86400000000 + 1000),
            Moment("9999-12-31T23:59:59.000", 2932897 * 86400000000 - 1000000),
            Moment("2024-02-29T12:00:00.250", 19782 * 86400000000 + 43200250000),
            Moment("0000-12-31T23:59:59.999999", -719162 * 86400000000 - 1),
            Moment("-0043-03-15T12:00:00.000", -735160 * 86400000000 + 43200000000),
            None,
        ]
    ),
    "interval": Result([*map(Span, ["P1Y2M3DT4H5M6.007S", "PT0S", "P-60D", "PT-1H-30M", "PT0.000005S", "PT26H"]), None]),
    "binary": Result([Bytes(b""), Bytes(b"\x00\xff\n"), Bytes(b"text"), None]),
    "any": Result([Any('{"a": 1.50, "b": [true, null]}'), Any('"x"'), Any("12345678901234567890"), Any("null")]),
    "record of nothing": Result([{}, {}]),
    "collection": Result([[1, None, 3], [], None]),
    "collection of collections": Result([[["a"], []], []]),
    "records": of_records(ANN, BO, fields=ROW_FIELDS),
    "records that may be NULL": of_records(ANN, None, fields=ROW_FIELDS),
    "nested records": of_records(*NESTED, fields=list(NESTED[0])),
    "hard values inside collections": of_records(INSIDE, fields=list(INSIDE)),
    "names that collide": of_records(COLLIDING, fields=list(COLLIDING)),
    "names with quotes and line ends": of_records(HARD, fields=list(HARD)),
    "no rows": of_records(fields=ROW_FIELDS),
    "no scalars": Result([]),
    "a scalar": Result([42], is_collection=False),
    "a scalar that is NULL": Result([None], is_collection=False),
    "a record": of_records(ANN, fields=ROW_FIELDS, is_collection=False),
    "a record that is NULL": of_records(None, fields=ROW_FIELDS, is_collection=False),
}
