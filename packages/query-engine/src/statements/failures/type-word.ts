import { ownValue } from '@svc/query-language';

import { ENGINE_TYPES } from '../../representation/duck-type.ts';

/** Returns the language's name of an engine type: `int` for `INTEGER`. */
export function typeWord(engineName: string): string {
  const name = engineName.trim();
  if (/^DECIMAL/.test(name)) return 'decimal';
  return ownValue(TYPE_WORDS, name) ?? 'the expected type';
}

/** Names of the engine's types, as the language has them: also those by which its messages alone name a type. */
const TYPE_WORDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(ENGINE_TYPES).map(([name, engineType]) => [engineType, name])),
  VARCHAR: 'string',
  INT8: 'byte',
  INT16: 'short',
  INT32: 'int',
  INT64: 'long',
  INT128: 'integer',
  UINT64: 'integer',
  UINT8: 'integer',
  HUGEINT: 'integer',
  UBIGINT: 'integer',
  UHUGEINT: 'integer',
  UINT128: 'integer',
  BOOL: 'bool',
  JSON: 'any',
  'TIMESTAMP WITH TIME ZONE': 'timestamp',
};
