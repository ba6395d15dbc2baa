import type { RandomTable } from '../program/tables.ts';
import type { DataDeclaration, FunctionDeclaration, RandomProgram, Term } from '../program/term.ts';
import type { Tape } from '../tape.ts';
import type { Shape } from '../values/shape.ts';
import { createGenerator } from './create-generator.ts';
import { functionsOf } from './functions.ts';
import type { Generator } from './generator.ts';
import { randomShape, recordShape, scalarShape, widened } from './literal.ts';
import type { Frame, Scope } from './scope.ts';

/** A program that is well typed by the language page: the tape decides all about it. */
export function generateProgram(tape: Tape, tables: readonly RandomTable[]): RandomProgram {
  const functions: FunctionDeclaration[] = [];
  const generator = createGenerator(tape, functions, 24);
  const outermost: Frame = {
    aliases: tables.map(({ id, name, shape }) => ({ name, term: { kind: 'variable', id, name, shape } })),
    fields: [],
    blocked: [],
  };
  const declarations: (DataDeclaration | FunctionDeclaration)[] = [];
  let declared: Frame = { aliases: [], fields: [], blocked: [] };
  const scopeOf = (frame: Frame): Scope => ({ frames: [outermost, frame], group: null, star: null, window: null });
  for (const [i, name] of ['p', 'q'].entries()) {
    if (!tape.chance(35)) continue;
    const { value, shape } = declarationValue(generator, scopeOf(declared), i);
    const id = generator.fresh();
    const wider = widened(generator, shape);
    declarations.push({ kind: 'data', id, name, value, shape: wider });
    declared = { ...declared, aliases: [...declared.aliases, { name, term: { kind: 'variable', id, name, shape: wider ?? shape } }] };
  }
  functions.push(...functionsOf(generator, scopeOf(declared), functions));
  declarations.push(...functions);
  generator.fuel = 40;
  const result = tape.chance(12)
    ? generator.spreadSelect(scopeOf(declared), 4)
    : generator.expression(resultShape(generator), scopeOf(declared), 5);
  return { declarations, result };
}

/** Mostly collections of records, since a query usually is one. */
function resultShape(generator: Generator): Shape {
  if (!generator.tape.chance(75)) return randomShape(generator, 2);
  return { kind: 'collection', element: generator.tape.chance(60) ? recordShape(generator, 2) : randomShape(generator, 1) };
}

function declarationValue(generator: Generator, scope: Scope, i: number): { readonly value: Term; readonly shape: Shape } {
  if (i === 0 && generator.tape.chance(30)) {
    const value = generator.spreadSelect(scope, 2);
    return { value, shape: value.shape };
  }
  const shape: Shape = i === 0 ? { kind: 'collection', element: recordShape(generator, 1) } : scalarShape(generator);
  return { shape, value: generator.expression(shape, scope, 2) };
}
