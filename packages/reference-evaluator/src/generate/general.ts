import type { DataDeclaration, Term } from '../program/term.ts';
import { isTryable } from '../program/unguarded.ts';
import type { Shape } from '../values/shape.ts';
import { castOf, tripOf } from './casts.ts';
import { declaredCall } from './functions.ts';
import type { Generator } from './generator.ts';
import { pick } from './generator.ts';
import { lambdaCall, reduction } from './lambda.ts';
import { leaf, orNull } from './leaf.ts';
import { scalarShape, widened } from './literal.ts';
import type { Frame, Scope } from './scope.ts';
import { singleSelect } from './select.ts';

/** Generates an expression of a kind that exists for every type. */
export function general(generator: Generator, shape: Shape, scope: Scope, depth: number): Term {
  const make = (of: Shape): Term => generator.expression(of, scope, depth);
  switch (generator.tape.choose(11)) {
    case 0:
      return { kind: 'if', shape, condition: make('bool'), consequent: orNull(generator, make(shape)), alternate: make(shape) };
    case 1:
      return {
        kind: 'case',
        shape,
        operand: null,
        branches: [{ when: make('bool'), then: make(shape) }],
        alternate: generator.tape.chance(50) ? make(shape) : null,
      };
    case 2: {
      const tested = scalarShape(generator);
      const branch = (): { readonly when: Term; readonly then: Term } => ({ when: orNull(generator, make(tested)), then: make(shape) });
      const operand = make(tested);
      return { kind: 'case', shape, operand, branches: [branch(), branch()], alternate: orNull(generator, make(shape)) };
    }
    case 3:
      return { kind: 'call', shape, name: 'COALESCE', arguments: [orNull(generator, make(shape)), make(shape)] };
    case 4:
      if (generator.tape.chance(30)) return valueNamed(generator, shape, make);
      return { kind: 'index', shape, target: make({ kind: 'collection', element: shape }), index: make('int') };
    case 5:
      return { kind: 'call', shape, name: pick(generator, ['CFIRST', 'CLAST']), arguments: [make({ kind: 'collection', element: shape })] };
    case 6:
      return declaredCall(generator, shape, scope, depth) ?? leaf(generator, shape, scope);
    case 7:
      return block(generator, shape, scope, depth);
    case 8:
      return choice(generator, shape, make);
    case 9:
      if (generator.tape.chance(20)) return tryOf(make(shape));
      if (generator.tape.chance(40)) return pick(generator, [castOf, castOf, tripOf])(generator, shape, scope, depth);
      if (generator.tape.chance(50)) return reduction(generator, shape, scope, depth);
      return lambdaCall(generator, { name: 'FIND_FIRST', shape, element: shape }, scope, depth);
    default:
      return singleSelect(generator, shape, scope, depth) ?? leaf(generator, shape, scope);
  }
}

/** GET of a record by the name of a field, mostly. */
function valueNamed(generator: Generator, shape: Shape, make: (of: Shape) => Term): Term {
  const names = ['a', 'b', 'B'].slice(0, 1 + generator.tape.choose(3));
  const record: Shape = { kind: 'record', fields: names.map((name) => ({ name, shape })) };
  const value = pick(generator, [...names, 'A', '']);
  const key: Term = generator.tape.chance(50) ? { kind: 'literal', shape: 'string', value } : make('string');
  return { kind: 'call', shape, name: 'GET', arguments: [make(record), key] };
}

function tryOf(operand: Term): Term {
  return isTryable(operand) ? { kind: 'try', shape: operand.shape, operand } : operand;
}

/** `{ name := value; expression }` */
function block(generator: Generator, shape: Shape, scope: Scope, depth: number): Term {
  const value = generator.expression(scalarShape(generator), { ...scope, window: null }, depth);
  const wider = widened(generator, value.shape);
  const id = generator.fresh();
  const term: Term = { kind: 'variable', id, name: `x${id}`, shape: wider ?? value.shape };
  const frame: Frame = { aliases: [{ name: `x${id}`, term }], fields: [], blocked: [] };
  const inner: Scope = { ...scope, frames: [...scope.frames, frame], window: null };
  const declaration: DataDeclaration = { kind: 'data', id, name: `x${id}`, value, shape: wider };
  return { kind: 'block', shape, declaration, result: generator.expression(shape, inner, depth) };
}

/** IFF, ISNULL and CHOOSE. */
function choice(generator: Generator, shape: Shape, make: (of: Shape) => Term): Term {
  const [name, first]: readonly [string, Shape] = pick(generator, [
    ['IFF', 'bool'],
    ['ISNULL', shape],
    ['CHOOSE', 'int'],
  ] as const);
  const branches = [make(shape), ...(name === 'ISNULL' ? [] : [orNull(generator, make(shape))])];
  return { kind: 'call', shape, name, arguments: [make(first), ...branches] };
}
