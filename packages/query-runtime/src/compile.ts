import { createHash } from 'node:crypto';

import type { CatalogTable } from '@svc/catalog';
import type { QueryError } from '@svc/errors';
import { invalidQuery } from '@svc/errors';
import type { LoweredQuery, Reader, Relation } from '@svc/query-engine';
import { LoweringUnsupported, lowerPlan } from '@svc/query-engine';
import type { BoundArgument, Diagnostic, Plan, Program, ReadNeed, SourceText, Span, Type } from '@svc/query-language';
import { checkProgram, childrenOfPlan, createSourceText, parseProgram } from '@svc/query-language';
import type { ResolvedRead } from '@svc/sources';

import type { CompileBudget } from './compile-budget.ts';
import type { CheckWorld, ResolvedReads } from './complete-check.ts';
import { refuseTooDeep } from './refuse-too-deep.ts';
import { completeCheck } from './complete-check.ts';
import { unopenedTable } from './opened-tables.ts';

/** A source that a compiled query reads, as it was when the query was compiled; without identity where it could not be read. */
export interface UsedSource {
  readonly function: string;
  readonly location: string;
  readonly options: ReadNeed['options'];
  readonly identity: string | null;
  /** A credential of the caller's was used: the query is compiled for nobody else. */
  readonly isPersonal: boolean;
}

/** A query that has been checked, and can be run as long as its sources are what they were. */
export interface CompiledQuery {
  readonly source: SourceText;
  readonly type: Type;
  /** Null for a query that is a function and was given no arguments: it has a type and cannot run. */
  readonly runnable: RunnableQuery | null;
  readonly arguments: readonly BoundArgument[];
  readonly sources: readonly UsedSource[];
  /** What its plan's Read nodes read, by their keys. */
  readonly reads: ReadonlyMap<string, ResolvedRead>;
  /** The user tables that it names, by name: their rows are opened for each run. */
  readonly tables: ReadonlyMap<string, CatalogTable>;
  /** The version of the namespace that it is good for; null where it names nothing of it. */
  readonly catalogVersion: number | null;
  /** The state of everything that it reads: a statement that was prepared for one state is not run for another. */
  readonly version: string;
  /** Bytes of what it reads; Infinity where nobody knows. */
  readonly bytes: number;
  /** It makes any number of rows out of nothing. */
  readonly makesRows: boolean;
}

/** A plan with its statement. */
export interface RunnableQuery {
  readonly plan: Plan;
  readonly lowered: LoweredQuery;
  /** The same plan as a slower statement whose failures all carry a place: for a second run, to find the place of a failure. */
  readonly located: () => Promise<LoweredQuery>;
  /** The same plan over rows that have a new place in each run. */
  readonly over: (rows: RowsOfRun) => Promise<RunnableQuery>;
}

/** Rows that were fetched for one run. */
export interface RowsOfRun {
  /** Of user tables, by name. */
  readonly scans: ReadonlyMap<string, Relation>;
  /** Of sources, by the keys of their reads. */
  readonly readers: ReadonlyMap<string, Reader>;
}

/** A program, in the world that its check may ask; `arguments` are those of a URL, by name, null where it is called without. */
export interface CompileRequest extends CheckWorld {
  readonly text: string;
  readonly arguments: ReadonlyMap<string, string> | null;
  /** Told how long the making of the statement took, when the check was done. */
  readonly onPlanned?: ((millis: number) => void) | undefined;
}

/** What is read in no time, and what takes so long that it may be begun twice. */
const SMALL_BYTES = 64 * 1024;
const LARGE_BYTES = 16 * 1024 * 1024;

/** Whether rows are fetched for each run of the query. */
export function fetchesRows({ tables, reads }: CompiledQuery): boolean {
  return tables.size > 0 || [...reads.values()].some(({ openRows }) => openRows !== undefined);
}

/** Whether there is so little to read and to make that one thread does it best. */
export function isSmall({ bytes, makesRows }: CompiledQuery): boolean {
  return bytes <= SMALL_BYTES && !makesRows;
}

/** Whether much is read, and rows are made of it one by one, the same each time. */
export function isLong({ bytes, runnable }: CompiledQuery): boolean {
  return bytes >= LARGE_BYTES && runnable?.lowered.isPipelined === true;
}

/** Parses, checks (fetching what the check lacks until nothing is missing) and lowers. Throws a QueryFailure with all that is wrong. */
export async function compile(request: CompileRequest): Promise<CompiledQuery> {
  const { source, tree } = parseText(request.text, request.budget);
  return refuseTooDeep(source, () => compileTree(request, source, tree));
}

async function compileTree(request: CompileRequest, source: SourceText, tree: Program): Promise<CompiledQuery> {
  const check = await completeCheck(request, (environment) => checkProgram(tree, environment, { arguments: request.arguments }));
  const { result, reads, tables, catalogVersion } = check;
  const type = typeOfFaultless(source, result);
  const readable = new Map([...reads].flatMap(([key, { read }]) => ('problem' in read ? [] : [[key, read] as const])));
  const readers = new Map([...readable].map(([key, read]) => [key, read.reader]));
  const scans = new Map([...tables].map(([name, table]) => [name, unopenedTable(table)]));
  const sources = sourcesOf(reads);
  const planning = performance.now();
  const runnable = result.plan === null ? null : makeRunnable(source, result.plan, { readers, scans, onPart: request.budget?.onPart });
  request.onPlanned?.(performance.now() - planning);
  return {
    source,
    type,
    arguments: result.arguments,
    runnable,
    sources,
    reads: readable,
    tables,
    catalogVersion,
    bytes: sizeOf(reads),
    makesRows: result.plan !== null && makesRows(result.plan),
    version: createHash('sha256')
      .update(JSON.stringify([sources, [...tables.values()].map(({ id }) => id)]))
      .digest('base64'),
  };
}

/** The tree of a text; throws a QueryFailure with its error of syntax. */
export function parseText(text: string, budget?: CompileBudget): { readonly source: SourceText; readonly tree: Program } {
  budget?.onText(text);
  const source = createSourceText(text);
  const { tree, diagnostics } = parseProgram(text);
  if (tree === null) throw invalidQuery(diagnostics.map((diagnostic) => toQueryError(source, diagnostic)));
  return { source, tree };
}

/** The type that a check found; throws a QueryFailure with all that is wrong. */
export function typeOfFaultless(
  source: SourceText,
  result: { readonly diagnostics: readonly Diagnostic[]; readonly type: Type | null },
): Type {
  if (result.diagnostics.length > 0) throw invalidQuery(toQueryErrors(source, result.diagnostics));
  if (result.type === null) throw new Error('a check without faults has a type');
  return result.type;
}

/** The sources that were read, as they were. */
export function sourcesOf(reads: ResolvedReads): readonly UsedSource[] {
  return [...reads.values()].map(({ need, read }) => ({
    ...{ function: need.function, location: need.location, options: need.options },
    identity: read.identity,
    isPersonal: read.isPersonal ?? false,
  }));
}

function sizeOf(reads: ResolvedReads): number {
  return [...reads.values()].reduce((sum, { read }) => sum + ('problem' in read ? 0 : read.bytes), 0);
}

/** Whether the plan holds something that makes any number of rows out of nothing. */
function makesRows(plan: Plan): boolean {
  if (plan.kind === 'Call' && /RANGE$|REPEAT/.test(plan.function)) return true;
  return childrenOfPlan(plan).some(makesRows);
}

interface Relations {
  readonly readers: ReadonlyMap<string, Reader>;
  readonly scans: ReadonlyMap<string, Relation>;
  readonly onPart?: (() => void) | undefined;
}

/** A plan with its statements. What was lowered once within a budget takes as long again. */
export function makeRunnable(source: SourceText, plan: Plan, { readers, scans, onPart }: Relations): RunnableQuery {
  return {
    plan,
    lowered: lower(source, plan, { readers, scans, onPart, isLocated: false }),
    located: async () => lower(source, plan, { readers, scans, isLocated: true }),
    over: async (rows) => makeRunnable(source, plan, { readers: new Map([...readers, ...rows.readers]), scans: rows.scans }),
  };
}

/** The statement of a plan over relations. Throws a QueryFailure where the engine cannot be told. */
export function lower(source: SourceText, plan: Plan, at: Relations & { readonly isLocated: boolean }): LoweredQuery {
  try {
    return lowerPlan(plan, {
      isLocated: at.isLocated,
      onPart: at.onPart,
      reader: (key) => {
        const reader = at.readers.get(key);
        if (reader === undefined) throw new Error('the plan reads a source that nobody resolved');
        return reader;
      },
      tableScan: (name) => {
        const scan = at.scans.get(name);
        if (scan === undefined) throw new Error('the plan reads a table that nobody found');
        return scan;
      },
    });
  } catch (thrown) {
    if (thrown instanceof LoweringUnsupported)
      throw invalidQuery([{ message: thrown.message, positions: [source.positionOf(thrown.span)] }]);
    throw thrown;
  }
}

/** More faults than anybody reads, and than are printed in no time. */
const MOST_ERRORS = 1000;

function toQueryErrors(source: SourceText, diagnostics: readonly Diagnostic[]): readonly QueryError[] {
  const told = diagnostics.slice(0, MOST_ERRORS).map((diagnostic) => toQueryError(source, diagnostic));
  const more = diagnostics.length - told.length;
  return more === 0 ? told : [...told, { message: `there are ${more} more errors`, positions: [] }];
}

/** A diagnostic as it stands on the wire. */
function toQueryError(source: SourceText, diagnostic: Diagnostic): QueryError {
  return { message: diagnostic.message, positions: diagnostic.spans.map((span: Span) => source.positionOf(span)) };
}
