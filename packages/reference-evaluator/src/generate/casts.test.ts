import { createTape, randomNumbers } from '../tape.ts';
import type { RecordShape } from '../values/shape.ts';
import { castOf } from './casts.ts';
import { createGenerator } from './create-generator.ts';
import type { Scope } from './scope.ts';

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
    const generator = createGenerator(createTape([], randomNumbers(seed)), [], 0);
    const cast = castOf(generator, shape, NOTHING, 0);
    const of = cast.kind === 'cast' ? (cast.operand.shape as RecordShape) : shape;
    const names = of.fields.map(({ name }) => name);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  }
});
