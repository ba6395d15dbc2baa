import { ownValue } from '@svc/query-language';

/** Returns the language's name of an engine type: `int` for `INTEGER`. */
export function typeWord(engineName: string): string {
  const name = engineName.trim();
  if (/^DECIMAL/.test(name)) return 'decimal';
  return ownValue(TYPE_WORDS, name) ?? 'the expected type';
}

/** Names of the engine's types, as the language has them. */
const TYPE_WORDS: Readonly<Record<string, string>> = {
  INT8: 'byte',
  INT16: 'short',
  INT32: 'int',
  INT64: 'long',
  INT128: 'integer',
  UINT64: 'integer',
  UINT8: 'integer',
  TINYINT: 'byte',
  SMALLINT: 'short',
  INTEGER: 'int',
  BIGINT: 'long',
  HUGEINT: 'integer',
  UBIGINT: 'integer',
  UHUGEINT: 'integer',
  UINT128: 'integer',
  FLOAT: 'float',
  DOUBLE: 'double',
  BOOL: 'bool',
  BOOLEAN: 'bool',
  VARCHAR: 'string',
  BLOB: 'binary',
  JSON: 'any',
  DATE: 'date',
  TIME: 'time',
  TIMESTAMP: 'timestamp',
  'TIMESTAMP WITH TIME ZONE': 'timestamp',
  INTERVAL: 'interval',
};
