import type { FunctionDeclaration, FunctionParameter, Term } from '../program/term.ts';
import type { CollectionShape, Scalar, Shape } from '../values/shape.ts';
import { isSameShape } from '../values/shape.ts';
import type { Generator, Maker } from './generator.ts';
import { pick } from './generator.ts';
import { orNull } from './leaf.ts';
import { scalarShape } from './literal.ts';
import type { Frame, Scope } from './scope.ts';

/** Generates functions at random, also ones that call another, or overload it for another type. */
export function functionsOf(generator: Generator, scope: Scope, known: FunctionDeclaration[]): readonly FunctionDeclaration[] {
  const { tape } = generator;
  if (!tape.chance(25)) return [];
  const first = functionOf(generator, scope, 'f');
  if (!tape.chance(40)) return [first];
  if (tape.chance(50)) {
    known.push(first);
    const second = functionOf(generator, scope, 'g');
    known.pop();
    return [first, second];
  }
  const [parameter] = first.parameters;
  const other = functionOf(generator, scope, 'f');
  const isApart = parameter !== undefined && areApart(parameter.shape, other.parameters[0]?.shape ?? parameter.shape);
  if (!isApart || [first, other].some(isNoOverload)) return [first];
  return [first, other].map((made) => ({ ...made, isOverloaded: true }));
}

const isNoOverload = ({ isLambda, parameters }: FunctionDeclaration): boolean =>
  isLambda || parameters.length !== 1 || parameters.some((parameter) => parameter.default !== null);

const FAMILIES: readonly (readonly Scalar[])[] = [
  ['byte', 'short', 'int', 'long', 'float', 'double', 'decimal'],
  ['date', 'timestamp'],
];

/** Returns whether no value of one type can be widened to the other. */
function areApart(a: Scalar, b: Scalar): boolean {
  return a !== b && !FAMILIES.some((family) => family.includes(a) && family.includes(b));
}

function functionOf(generator: Generator, scope: Scope, name: string): FunctionDeclaration {
  const isLambda = generator.tape.chance(25);
  const parameters = (['x', 'y'] as const).slice(0, 1 + generator.tape.choose(2)).map((parameter): FunctionParameter => ({
    id: generator.fresh(),
    name: parameter,
    shape: scalarShape(generator),
    isNullable: generator.tape.chance(50),
    default: null,
  }));
  const last = parameters.at(-1);
  if (!isLambda && last !== undefined && generator.tape.chance(40))
    parameters.splice(-1, 1, { ...last, default: generator.expression(last.shape, scope, 1) });
  const frame: Frame = {
    aliases: parameters.map(({ id, name: parameter, shape }) => ({
      name: parameter,
      term: { kind: 'variable', id, name: parameter, shape },
    })),
    fields: [],
    blocked: [],
  };
  const inner: Scope = { frames: [...scope.frames, frame], group: null, star: null, window: null };
  const body = generator.expression(scalarShape(generator), inner, 3);
  return { kind: 'function', name, parameters, body, isLambda, isOverloaded: false };
}

/** Generates a call of a declared function that returns a type; null if there is none. */
export function declaredCall(generator: Generator, shape: Shape, scope: Scope, depth: number): Term | null {
  const found = generator.functions.filter(({ body }) => isSameShape(body.shape, shape));
  if (found.length === 0) return null;
  const declared = pick(generator, found);
  const args = declared.parameters.map((parameter) => {
    if (parameter.default !== null && generator.tape.chance(60)) return null;
    const made = generator.expression(parameter.shape, scope, depth);
    // NULL would be ambiguous between overloads.
    return declared.isOverloaded ? made : orNull(generator, made);
  });
  const isByName = !declared.isLambda && generator.tape.chance(30);
  const byPosition = isByName ? generator.tape.choose(args.length) : args.length;
  return { kind: 'declared-call', shape, function: declared, arguments: args, byPosition };
}

/** `TRANSFORM(collection, f)` of a declared function; null if none fits. Elements may be NULL, so the parameter must be nullable. */
export const mappedByName = (...[generator, shape, scope, depth]: Parameters<Maker>): Term | null => {
  const { element: result } = shape as CollectionShape;
  const found = generator.functions.find(
    ({ body, parameters, isOverloaded }) =>
      parameters.length === 1 && parameters[0]?.isNullable === true && !isOverloaded && isSameShape(body.shape, result),
  );
  const [only] = found?.parameters ?? [];
  if (found === undefined || only === undefined) return null;
  // The collection of a function is a query of its own.
  const collection = generator.expression({ kind: 'collection', element: only.shape }, { ...scope, window: null }, depth);
  const parameter = { id: generator.fresh(), name: 'z', shape: only.shape };
  const given: Term = { kind: 'variable', ...parameter };
  const body: Term = { kind: 'declared-call', shape: result, function: found, arguments: [given], byPosition: 1 };
  return { kind: 'lambda-call', shape, name: 'TRANSFORM', collection, parameter, body, function: found.name };
};
