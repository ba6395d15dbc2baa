import { ownValue } from '../own-value.ts';

/** Names of types in other systems, by type. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  byte: ['int1'],
  int: ['int32', 'mediumint', 'serial'],
  long: ['int64', 'bigserial', 'unsigned', 'uint8', 'uint16', 'uint32', 'uinteger', 'oid'],
  decimal: ['number', 'bignumeric', 'bigdecimal', 'money', 'hugeint', 'ubigint', 'uint64', 'dec'],
  float: ['float32'],
  double: ['float64'],
  string: ['str', 'nvarchar', 'nchar', 'varchar2', 'clob', 'longtext', 'tinytext', 'citext', 'uuid', 'enum', 'bpchar'],
  timestamp: ['datetime', 'datetime2', 'timestamp_ntz', 'timestamp_tz', 'timestamp_ltz', 'datetimeoffset', 'smalldatetime'],
  time: ['timetz'],
  binary: ['bytea', 'blob', 'varbinary', 'bytes'],
  bool: ['bit', 'logical'],
  any: ['json', 'jsonb', 'variant', 'object'],
  'collection(…)': ['array', 'list', 'set'],
  'record(…)': ['struct', 'row', 'tuple'],
  'collection(record(key: …, value: …))': ['map', 'dict'],
};

const OURS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(NAMES).flatMap(([ours, theirs]) => theirs.map((name) => [name, ours])),
);

/** The type that has this name in other systems, in any case. */
export function typeOfSql(name: string): string | undefined {
  return ownValue(OURS, name.toLowerCase());
}
