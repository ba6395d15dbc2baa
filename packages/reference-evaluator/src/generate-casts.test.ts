import { castOf } from './generate-casts.ts';
import type { Generator, Scope } from './generate-scope.ts';
import type { RecordShape } from './shape.ts';
import { createTape, randomNumbers } from './tape.ts';

const NOTHING: Scope = { frames: [], group: null, star: null, window: null };

test('a record that is cast has each of its fields once, also where the cast stands within another', () => {
  const shape: RecordShape = {
    kind: 'record',
    fields: [
      { name: 'z', shape: 'int' },
      { name: 'zz', shape: 'string' },
    ],
  };
  for (let seed = 0; seed < 60; seed += 1) {
    let last = 0;
    const generator: Generator = { tape: createTape([], randomNumbers(seed)), functions: [], fuel: 0, fresh: () => (last += 1) };
    const cast = castOf(generator, shape, NOTHING, 0);
    const of = cast.kind === 'cast' ? (cast.operand.shape as RecordShape) : shape;
    const names = of.fields.map(({ name }) => name);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  }
});
