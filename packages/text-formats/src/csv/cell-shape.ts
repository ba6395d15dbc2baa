import type { PrimitiveName, Type } from '@svc/query-language';
import { readTemporal } from '@svc/query-language';

import { CELL_TESTS, INT_RANGE } from './cell-type.ts';

const LONG_RANGE = { min: -(2n ** 63n), max: 2n ** 63n - 1n } as const;

/** Narrows the possible types of texts at one place, such as the cells of a CSV column. */
export class CellShape {
  #candidates = CELL_TESTS;
  #count = 0;
  #hasNull = false;
  #isInt = true;

  /** Adds a text; null for an empty cell. */
  add(text: string | null): void {
    if (text === null) {
      this.#hasNull = true;
      return;
    }
    this.#count += 1;
    if (this.#candidates.length === 0) return;
    if (!this.#candidates.every(({ name, expression }) => this.#fits(name, expression, text)))
      this.#candidates = this.#candidates.filter(({ name, expression }) => this.#fits(name, expression, text));
  }

  /** Returns the narrowest type of all texts. If only a sample was read, integers are long and the type is nullable. */
  type({ isSampled }: { readonly isSampled: boolean }): Type {
    const isNullable = isSampled || this.#hasNull || this.#count === 0;
    const [first] = this.#count === 0 ? [] : this.#candidates;
    const fitting: PrimitiveName = first?.name ?? 'string';
    return { kind: 'PrimitiveType', name: fitting === 'long' && this.#isInt && !isSampled ? 'int' : fitting, isNullable };
  }

  #fits(name: (typeof CELL_TESTS)[number]['name'], expression: RegExp, text: string): boolean {
    if (!expression.test(text)) return false;
    if (name === 'long') {
      const value = BigInt(text.trim().replace(/^\+/, ''));
      if (value < INT_RANGE.min || value > INT_RANGE.max) this.#isInt = false;
      return value >= LONG_RANGE.min && value <= LONG_RANGE.max;
    }
    return name === 'double' || name === 'bool' || readTemporal(name, text) !== null;
  }
}
