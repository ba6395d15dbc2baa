import { aggregateOf } from './generate-aggregate.ts';
import { castOf, tripOf } from './generate-casts.ts';
import { declaredCall, functionsOf } from './generate-functions.ts';
import { makersOf } from './generate-makers.ts';
import { literalOf, randomShape, recordShape, scalarShape } from './generate-literal.ts';
import type { Frame, Generator, Scope } from './generate-scope.ts';
import { pick, referencesIn } from './generate-scope.ts';
import { spreadSelect } from './generate-spread.ts';
import { singleSelect } from './generate-select.ts';
import { lambdaCall, reduction, windowOf } from './generate-window.ts';
import type { Scalar, Shape } from './shape.ts';
import type { DataDeclaration, FunctionDeclaration, RandomProgram } from './program.ts';
import type { Term } from './term.ts';
import { isSameShape } from './shape.ts';
import type { Tape } from './tape.ts';
import { isTryable } from './unguarded.ts';

/** A table that programs may use: a variable of a number below 100. */
export interface RandomTable {
  readonly id: number;
  readonly name: string;
  readonly shape: Shape;
}

/** A program that is well typed by the language page: the tape decides all about it. */
export function generateProgram(tape: Tape, tables: readonly RandomTable[]): RandomProgram {
  let last = 100;
  const functions: FunctionDeclaration[] = [];
  const generator: Generator = { tape, functions, fuel: 24, fresh: () => (last += 1) };
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
    ? spreadSelect(generator, scopeOf(declared), 4)
    : expression(generator, resultShape(generator), scopeOf(declared), 5);
  return { declarations, result };
}

/** Mostly collections of records, since a query usually is one. */
function resultShape(generator: Generator): Shape {
  if (!generator.tape.chance(75)) return randomShape(generator, 2);
  return { kind: 'collection', element: generator.tape.chance(60) ? recordShape(generator, 2) : randomShape(generator, 1) };
}

function declarationValue(generator: Generator, scope: Scope, i: number): { readonly value: Term; readonly shape: Shape } {
  if (i === 0 && generator.tape.chance(30)) {
    const value = spreadSelect(generator, scope, 2);
    return { value, shape: value.shape };
  }
  const shape: Shape = i === 0 ? { kind: 'collection', element: recordShape(generator, 1) } : scalarShape(generator);
  return { shape, value: expression(generator, shape, scope, 2) };
}

/** An expression of a type. */
export function expression(generator: Generator, shape: Shape, scope: Scope, depth: number): Term {
  generator.fuel -= 1;
  if (depth <= 0 || generator.fuel <= 0) return leaf(generator, shape, scope);
  if (scope.group !== null && generator.tape.chance(35)) {
    const aggregate = aggregateOf(generator, shape, scope, depth - 1);
    if (aggregate !== null) return aggregate;
  }
  if (scope.window !== null && shape !== 'unknown' && generator.tape.chance(12)) return windowOf(generator, shape, scope.window, depth - 1);
  const maker = pick(generator, [leaf, ...makersOf(shape), general, leaf]);
  return maker(generator, shape, scope, depth - 1);
}

/** Generates a name if there is one, else a literal. */
export function leaf(generator: Generator, shape: Shape, scope: Scope): Term {
  const found = referencesIn(scope).filter((reference) => isSameShape(reference.shape, shape));
  if (found.length > 0 && generator.tape.chance(80)) return pick(generator, found);
  return literalOf(generator, shape);
}

const NULL: Term = { kind: 'null', shape: 'unknown' };

/** Replaces an expression by NULL at random, where another one determines the type. */
export function orNull(generator: Generator, term: Term): Term {
  return generator.tape.chance(8) ? NULL : term;
}

/** Generates an expression of a kind that exists for every type. */
function general(generator: Generator, shape: Shape, scope: Scope, depth: number): Term {
  const make = (of: Shape): Term => expression(generator, of, scope, depth);
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

function tryOf(operand: Term): Term {
  return isTryable(operand) ? { kind: 'try', shape: operand.shape, operand } : operand;
}

/** Returns a wider type for a declaration than that of its value, at random. */
function widened(generator: Generator, shape: Shape): Scalar | null {
  if (typeof shape !== 'string' || shape === 'unknown' || !generator.tape.chance(50)) return null;
  const wider: Readonly<Partial<Record<Scalar, readonly Scalar[]>>> = {
    byte: ['short', 'int', 'float', 'decimal'],
    short: ['int', 'long', 'double', 'decimal'],
    int: ['long', 'float', 'double', 'decimal'],
    long: ['float', 'double'],
    float: ['double'],
    date: ['timestamp'],
  };
  return pick(generator, [shape, ...(wider[shape] ?? [])]);
}

/** `{ name := value; expression }` */
function block(generator: Generator, shape: Shape, scope: Scope, depth: number): Term {
  const value = expression(generator, scalarShape(generator), { ...scope, window: null }, depth);
  const wider = widened(generator, value.shape);
  const id = generator.fresh();
  const term: Term = { kind: 'variable', id, name: `x${id}`, shape: wider ?? value.shape };
  const frame: Frame = { aliases: [{ name: `x${id}`, term }], fields: [], blocked: [] };
  const inner: Scope = { ...scope, frames: [...scope.frames, frame], window: null };
  const declaration: DataDeclaration = { kind: 'data', id, name: `x${id}`, value, shape: wider };
  return { kind: 'block', shape, declaration, result: expression(generator, shape, inner, depth) };
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
