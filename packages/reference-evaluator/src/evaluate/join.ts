import type { Binary, Source, Term } from '../program/term.ts';
import { usesVariables } from '../program/tree.ts';
import { compareInside, inOrder } from '../values/order.ts';
import type { Value } from '../values/value.ts';
import { Unpromised } from '../values/value.ts';
import type { Environment, RowBlocks } from './environment.ts';
import { bind, evaluate, isEmpty, lookUp } from './environment.ts';
import { touchKeys } from './touch-keys.ts';
import { attempt, touch } from './touch.ts';

/** Returns the rows of FROM: sources from left to right, each with the earlier ones in scope. */
export function joinSources(sources: readonly Source[], environment: Environment): RowBlocks {
  let rows: RowBlocks = [[environment]];
  const earlier: Source[] = [];
  for (const source of sources) {
    const isDependent = earlier.length === 0 || usesVariables(source.collection, new Set(earlier.flatMap(variablesOf)));
    if (isEmpty(rows)) touch([source.collection, source.on], environment);
    if (isEmpty(rows) && !isDependent) touchOn(source, environment);
    const joined = joinOne(rows, source, earlier, environment);
    // Rows of independent sources have no guaranteed order.
    rows = isDependent && source.join !== 'RIGHT JOIN' && source.join !== 'FULL JOIN' ? joined : [joined.flat()];
    earlier.push(source);
  }
  return rows;
}

/** If the left side is empty, the engine may evaluate the condition on rows of the right side alone. */
function touchOn(source: Source, environment: Environment): void {
  attempt(environment, () => {
    for (const { environment: row } of rowsOf(source, environment).flat()) touch(source.on, row);
  });
}

/** The variables of a source. */
export function variablesOf({ id, position }: Source): readonly number[] {
  return position === null ? [id] : [id, position.id];
}

function joinOne(rows: RowBlocks, source: Source, earlier: readonly Source[], environment: Environment): RowBlocks {
  const isAsof = source.join === 'ASOF JOIN' || source.join === 'ASOF LEFT JOIN';
  const keepsLeft = source.join === 'LEFT JOIN' || source.join === 'ASOF LEFT JOIN' || source.join === 'FULL JOIN';
  const keepsRight = source.join === 'RIGHT JOIN' || source.join === 'FULL JOIN';
  const matched = new Set<number>();
  let hasCandidates = false;
  const joined = rows.flatMap((block) => {
    const parts = block.map((row): RowBlocks => {
      const paired = rowsOf(source, row).map((part) =>
        part.filter(({ environment: candidate, place }) => {
          hasCandidates = true;
          const isMatch = source.on === null || evaluate(source.on, candidate) === true;
          if (isMatch) matched.add(place);
          else if (source.on !== null) touchKeys(source.on, candidate, [variablesOf(source)]);
          return isMatch;
        }),
      );
      const found = isAsof ? [nearest(paired.flat(), source)] : paired;
      if (keepsLeft && found.flat().length === 0)
        return [
          [
            bind(
              row,
              variablesOf(source).map((id) => [id, null] as const),
            ),
          ],
        ];
      return found.map((part) => part.map((candidate) => candidate.environment));
    });
    return block.length > 1 ? [parts.flat(2)] : parts.flat();
  });
  // If the right side is empty, the engine may evaluate the condition on rows of the left side alone.
  if (!hasCandidates) for (const row of rows.flat()) touch(source.on, row);
  if (!keepsRight) return joined;
  const nothing = bind(
    environment,
    earlier.flatMap(variablesOf).map((id) => [id, null] as const),
  );
  const unmatched = rowsOf(source, nothing)
    .flat()
    .filter(({ place }) => !matched.has(place));
  return [...joined, unmatched.map((candidate) => candidate.environment)];
}

/** Keeps, of the rows that an ASOF join pairs with one on the left, the one whose compared value is nearest. */
function nearest(candidates: readonly Candidate[], source: Source): readonly Candidate[] {
  const own = new Set(variablesOf(source));
  const inequality = conjunctsOf(source.on).find(({ operator }) => operator !== '=');
  if (inequality === undefined) throw new Error('ON of an ASOF join has an inequality');
  const isOwnRight = usesVariables(inequality.right, own);
  const wantsGreatest = inequality.operator.startsWith('>') === isOwnRight;
  const value = isOwnRight ? inequality.right : inequality.left;
  const distance = ({ environment: x }: Candidate, { environment: y }: Candidate): number =>
    compareInside(evaluate(value, x), evaluate(value, y)) * (wantsGreatest ? -1 : 1);
  const [first, ...others] = candidates.toSorted(distance);
  if (first === undefined) return [];
  const isSame = ({ environment }: Candidate): boolean =>
    source.position === null && compareInside(lookUp(environment, source.id), lookUp(first.environment, source.id)) === 0;
  if (others.some((other) => distance(first, other) === 0 && !isSame(other))) throw new Unpromised('ties of an ASOF join');
  return [first];
}

function conjunctsOf(condition: Term | null): readonly Binary[] {
  if (condition?.kind !== 'binary') return [];
  return condition.operator === 'AND' ? [...conjunctsOf(condition.left), ...conjunctsOf(condition.right)] : [condition];
}

interface Candidate {
  readonly environment: Environment;
  readonly place: number;
}

/** The elements of a source as rows, each with its place among them; one that is NULL is empty. */
function rowsOf(source: Source, row: Environment): readonly (readonly Candidate[])[] {
  const collection = evaluate(source.collection, row);
  if (collection === null || typeof collection !== 'object' || collection.kind !== 'collection') return [];
  const { position } = source;
  if (position !== null) inOrder(collection);
  let place = 0;
  return collection.blocks.map((block) =>
    block.map((element) => {
      const bindings: (readonly [number, Value])[] = [[source.id, element]];
      if (position !== null) bindings.push([position.id, BigInt(place)]);
      return { environment: bind(row, bindings), place: place++ };
    }),
  );
}
