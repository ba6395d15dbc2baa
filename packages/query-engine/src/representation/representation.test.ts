import type { FieldType, Type } from '@svc/query-language';

import { duckType } from './duck-type.ts';
import { memberNames } from './member-names.ts';
import { quoteText } from './sql-text.ts';

const int: Type = { kind: 'PrimitiveType', name: 'int', isNullable: false };
const fields = (...names: string[]): FieldType[] => names.map((name) => ({ name, type: int }));

describe('memberNames', () => {
  it('keeps names that differ by more than case', () => {
    expect(memberNames(fields('a', 'b c', 'É'))).toEqual(['a', 'b c', 'É']);
  });
  it('gives a number to a name that another hides, and never one that is taken', () => {
    expect(memberNames(fields('a', 'A', 'a_2', 'a', ''))).toEqual(['a', 'A_2', 'a_2_2', 'a_3', '_']);
  });
});

describe('duckType', () => {
  it('carries nested records, the empty record and any', () => {
    const type: Type = {
      kind: 'CollectionType',
      isNullable: false,
      element: {
        kind: 'RecordType',
        isNullable: true,
        fields: [
          { name: 'x"y', type: { kind: 'PrimitiveType', name: 'decimal', isNullable: true } },
          { name: 'e', type: { kind: 'RecordType', fields: [], isNullable: false } },
          { name: 'E', type: { kind: 'AnyType', isNullable: false, isUndetermined: false } },
        ],
      },
    };
    expect(duckType(type)).toBe('STRUCT("x""y" DECIMAL(38,18), "e" BOOLEAN, "E_2" JSON)[]');
  });
});

test('quoteText takes quotes and NUL', () => {
  expect(quoteText("it's")).toBe("'it''s'");
  expect(quoteText('a\0b')).toBe("concat('a', chr(0), 'b')");
});
