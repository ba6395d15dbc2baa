import { createHash } from 'node:crypto';

import type { EngineLease, LoweredQuery, Reader } from '@svc/query-engine';
import { LoweringUnsupported, lowerPlan } from '@svc/query-engine';
import type { QueryError } from '@svc/errors';
import { invalidQuery } from '@svc/errors';
import type {
  BoundArgument,
  CheckEnvironment,
  CheckResult,
  Diagnostic,
  Need,
  Plan,
  Program,
  ReadAnswer,
  ReadNeed,
  SourceText,
  Span,
  Type,
} from '@svc/query-language';
import { checkProgram, createSourceText, mapChildren, parseProgram } from '@svc/query-language';
import type { ResolvedRead, Sources, UnreadableSource } from '@svc/sources';

/** A source that a compiled query reads, as it was when the query was compiled. */
export interface UsedSource {
  readonly location: string;
  readonly identity: string;
}

/** A query that has been checked, and can be run as long as its sources are what they were. */
export interface CompiledQuery {
  readonly source: SourceText;
  readonly type: Type;
  /** Null for a query that is a function and was given no arguments: it has a type and cannot run. */
  readonly runnable: RunnableQuery | null;
  readonly arguments: readonly BoundArgument[];
  readonly sources: readonly UsedSource[];
  /** The state of everything that it reads: a statement that was prepared for one state is not run for another. */
  readonly version: string;
  /** So little to read and to make that one thread does it best. */
  readonly isSmall: boolean;
}

/** A plan with its statement. */
export interface RunnableQuery {
  readonly plan: Plan;
  readonly lowered: LoweredQuery;
  /** The same plan as a slower statement whose failures all carry a place: for a second run, to find the place of a failure. */
  readonly located: () => LoweredQuery;
}

export interface CompileRequest {
  readonly text: string;
  readonly arguments: ReadonlyMap<string, string> | null;
  readonly sources: Sources;
  readonly lease: () => Promise<EngineLease>;
  readonly signal: AbortSignal;
}

/** What is read in no time. */
const SMALL_BYTES = 64 * 1024;

/** How often a program may ask for more before it is given up: each round brings at least one new type. */
const MAX_ROUNDS = 50;

/** Parses, checks (fetching what the check lacks until nothing is missing) and lowers. Throws a QueryFailure with all that is wrong. */
export async function compile(request: CompileRequest): Promise<CompiledQuery> {
  const source = createSourceText(request.text);
  const parsed = parseProgram(request.text);
  if (parsed.tree === null) throw invalidQuery(parsed.diagnostics.map((diagnostic) => toQueryError(source, diagnostic)));
  const reads = new Map<string, { readonly location: string; readonly read: ResolvedRead | UnreadableSource }>();
  const result = await checkUntilComplete(parsed.tree, request, reads);
  if (result.diagnostics.length > 0) throw invalidQuery(result.diagnostics.map((diagnostic) => toQueryError(source, diagnostic)));
  if (result.type === null) throw new Error('a check without faults has a type');
  const readers = new Map<string, Reader>();
  for (const [key, { read }] of reads) if (!('problem' in read)) readers.set(key, read.reader);
  const sources = [...reads.values()].flatMap(({ location, read }) => ('problem' in read ? [] : [{ location, identity: read.identity }]));
  return {
    source,
    type: result.type,
    arguments: result.arguments,
    runnable: result.plan === null ? null : makeRunnable(source, result.plan, readers),
    sources,
    isSmall: result.plan !== null && sizeOf(reads) <= SMALL_BYTES && !makesRows(result.plan),
    version: createHash('sha256').update(JSON.stringify(sources)).digest('base64'),
  };
}

async function checkUntilComplete(
  program: Program,
  request: CompileRequest,
  reads: Map<string, { readonly location: string; readonly read: ResolvedRead | UnreadableSource }>,
): Promise<CheckResult> {
  const environment: CheckEnvironment = {
    findRead: (need): ReadAnswer | undefined => reads.get(need.key)?.read,
    findName: () => ({ kind: 'nothing', candidates: [] }),
    findPackage: () => ({ kind: 'nothing', candidates: [] }),
  };
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const result = checkProgram(program, environment, { arguments: request.arguments });
    if (result.needs.length === 0) return result;
    // One behind the other: an engine looks at one source at a time, and a query has one engine.
    for (const need of result.needs.filter(isReadNeed)) {
      reads.set(need.key, { location: need.location, read: await request.sources.resolve(need, request.lease, request.signal) });
    }
  }
  throw new Error(`the check asked for more ${MAX_ROUNDS} times`);
}

function sizeOf(reads: ReadonlyMap<string, { readonly read: ResolvedRead | UnreadableSource }>): number {
  return [...reads.values()].reduce((sum, { read }) => sum + ('problem' in read ? 0 : read.bytes), 0);
}

/** Whether the plan holds something that makes any number of rows out of nothing, or reads rows whose number is not known. */
function makesRows(plan: Plan): boolean {
  if (plan.kind === 'TableScan' || (plan.kind === 'Call' && /RANGE$|REPEAT/.test(plan.function))) return true;
  let found = false;
  mapChildren(plan, (child) => {
    found ||= makesRows(child);
    return child;
  });
  return found;
}

function isReadNeed(need: Need): need is ReadNeed {
  return need.kind === 'read';
}

function makeRunnable(source: SourceText, plan: Plan, readers: ReadonlyMap<string, Reader>): RunnableQuery {
  return {
    plan,
    lowered: lower(source, plan, { readers, isLocated: false }),
    located: () => lower(source, plan, { readers, isLocated: true }),
  };
}

function lower(
  source: SourceText,
  plan: Plan,
  { readers, isLocated }: { readonly readers: ReadonlyMap<string, Reader>; readonly isLocated: boolean },
): LoweredQuery {
  try {
    return lowerPlan(plan, {
      isLocated,
      reader: (key) => {
        const reader = readers.get(key);
        if (reader === undefined) throw new Error('the plan reads a source that nobody resolved');
        return reader;
      },
      tableScan: () => {
        throw new Error('there are no tables yet');
      },
    });
  } catch (thrown) {
    if (thrown instanceof LoweringUnsupported)
      throw invalidQuery([{ message: thrown.message, positions: [source.positionOf(thrown.span)] }]);
    throw thrown;
  }
}

/** A diagnostic as it stands on the wire. */
function toQueryError(source: SourceText, diagnostic: Diagnostic): QueryError {
  return { message: diagnostic.message, positions: diagnostic.spans.map((span: Span) => source.positionOf(span)) };
}
