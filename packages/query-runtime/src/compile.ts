import { createHash } from 'node:crypto';

import type { CatalogTable } from '@svc/catalog';
import type { QueryError } from '@svc/errors';
import { invalidQuery } from '@svc/errors';
import type { LoweredQuery, Reader, ReaderRelation } from '@svc/query-engine';
import { LoweringUnsupported, lowerPrepared, preparePlan } from '@svc/query-engine';
import type { BoundArgument, Diagnostic, Plan, Program, ReadNeed, SourceText, Span, Type } from '@svc/query-language';
import { checkProgram, childrenOfPlan, createSourceText, findFunction, parseProgram } from '@svc/query-language';
import type { ResolvedRead } from '@svc/sources';

import type { CheckWorld, ResolvedReads } from './complete-check.ts';
import { refuseTooDeep } from './refuse-too-deep.ts';
import { completeCheck } from './complete-check.ts';
import { withBeginnings } from './beginnings.ts';
import { unopenedTable } from './opened-tables.ts';
import { readsOf } from './reads-of.ts';
import type { OnText } from './text-limit.ts';

/** A source that a compiled query reads, in its state at compilation. Without identity if it could not be read. */
export interface UsedSource {
  readonly function: string;
  readonly location: string;
  readonly options: ReadNeed['options'];
  readonly identity: string | null;
  /** True if a credential of the caller was used: the result is not shared. */
  readonly isPersonal: boolean;
}

/** A checked query, runnable while its sources are unchanged. */
export interface CompiledQuery {
  readonly source: SourceText;
  readonly type: Type;
  /** Null for a query that is a function and was given no arguments: it has a type and cannot run. */
  readonly runnable: RunnableQuery | null;
  readonly arguments: readonly BoundArgument[];
  readonly sources: readonly UsedSource[];
  /** Reads of its plan, by key; not of declarations that are unused. */
  readonly reads: ReadonlyMap<string, ResolvedRead>;
  /** User tables of the query by name. Each run opens their rows. */
  readonly tables: ReadonlyMap<string, CatalogTable>;
  /** Version of the namespace that it was compiled for; null if it uses no names. */
  readonly catalogVersion: number | null;
  /** The state of everything that it reads: a statement that was prepared for one state is not run for another. */
  readonly version: string;
  /** Size of its sources in bytes; Infinity if unknown. */
  readonly bytes: number;
  /** True if it generates any number of rows. */
  readonly makesRows: boolean;
}

/** A plan with its statement. */
export interface RunnableQuery {
  /** The plan as it is lowered, after all rewrites. */
  readonly plan: Plan;
  readonly lowered: LoweredQuery;
  /** Lowers the plan to a slower statement whose failures all have a place. A second run uses it to locate a failure. */
  readonly located: () => Promise<LoweredQuery>;
  /** The same plan over rows that have a new place in each run. */
  readonly over: (rows: RowsOfRun) => Promise<RunnableQuery>;
}

/** Rows that were fetched for one run. */
export interface RowsOfRun {
  /** Of user tables, by name. */
  readonly scans: ReadonlyMap<string, ReaderRelation>;
  /** Of sources, by the keys of their reads. */
  readonly readers: ReadonlyMap<string, Reader>;
}

/** A program, and the environment of its check; `arguments` are those of a URL, by name, null if it is called without. */
export interface CompileRequest extends CheckWorld {
  readonly text: string;
  readonly arguments: ReadonlyMap<string, string> | null;
  /** Called with the time of the lowering, after the check. */
  readonly onPlanned?: ((millis: number) => void) | undefined;
}

/** Sizes that are read immediately, and that take so long that the first rows may come later for the sake of all. */
const SMALL_BYTES = 64 * 1024;
const LARGE_BYTES = 16 * 1024 * 1024;

/** Returns whether rows are fetched for each run of the query. */
export function fetchesRows({ tables, reads }: CompiledQuery): boolean {
  return tables.size > 0 || [...reads.values()].some(({ openRows }) => openRows !== undefined);
}

/** Returns whether a query reads and produces so little that one thread is fastest. */
export function isSmall({ bytes, makesRows }: CompiledQuery): boolean {
  return bytes <= SMALL_BYTES && !makesRows;
}

/** Returns whether a query reads much, and gives a row for each that it reads. */
export function isLong({ bytes, runnable }: CompiledQuery): boolean {
  return bytes >= LARGE_BYTES && runnable?.lowered.isRowByRow === true;
}

/** Parses, checks (resolving needs until there are none) and lowers. Throws a QueryFailure with all diagnostics. */
export async function compile(request: CompileRequest): Promise<CompiledQuery> {
  const { source, tree } = parseText(request.text, request.onText);
  return refuseTooDeep(source, () => compileTree(request, source, tree));
}

async function compileTree(request: CompileRequest, source: SourceText, tree: Program): Promise<CompiledQuery> {
  const check = await completeCheck(request, (environment) => checkProgram(tree, environment, { arguments: request.arguments }));
  const { result, reads, tables, catalogVersion } = check;
  const type = typeOfFaultless(source, result);
  const readable = new Map([...reads].flatMap(([key, { read }]) => ('problem' in read ? [] : [[key, read] as const])));
  const scans = new Map([...tables].map(([name, table]) => [name, unopenedTable(table)]));
  const sources = sourcesOf(reads);
  const began = performance.now();
  const plan = result.plan === null ? null : prepare(source, result.plan);
  const prepared = performance.now();
  const used = plan === null ? readable : await withBeginnings(plan, usedReads(plan, readable), request);
  const lowering = performance.now();
  const readers = new Map([...used].map(([key, { reader }]) => [key, reader]));
  const runnable = plan === null ? null : runnableOf(source, plan, { readers, scans });
  request.onPlanned?.(performance.now() - lowering + prepared - began);
  return {
    source,
    type,
    arguments: result.arguments,
    runnable,
    sources,
    reads: used,
    tables,
    catalogVersion,
    bytes: sizeOf(used),
    makesRows: result.plan !== null && makesRows(result.plan),
    version: createHash('sha256')
      .update(JSON.stringify([sources, [...tables.values()].map(({ id }) => id)]))
      .digest('base64'),
  };
}

/** The tree of a text; throws a QueryFailure with its error of syntax. */
export function parseText(text: string, onText?: OnText): { readonly source: SourceText; readonly tree: Program } {
  onText?.(text);
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

function sizeOf(reads: ReadonlyMap<string, ResolvedRead>): number {
  return [...reads.values()].reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Returns whether a plan contains a generator of any number of rows. */
function makesRows(plan: Plan): boolean {
  if (plan.kind === 'Call' && plan.type.kind === 'CollectionType' && findFunction(plan.function)?.outputCount !== undefined) return true;
  return childrenOfPlan(plan).some(makesRows);
}

function usedReads(plan: Plan, reads: ReadonlyMap<string, ResolvedRead>): ReadonlyMap<string, ResolvedRead> {
  const used = new Set(readsOf(plan).map(({ key }) => key));
  return new Map([...reads].filter(([key]) => used.has(key)));
}

interface Relations {
  readonly readers: ReadonlyMap<string, Reader>;
  readonly scans: ReadonlyMap<string, ReaderRelation>;
}

/** Prepares a checked plan and creates its statements. Throws a QueryFailure if it has no SQL form. */
export function makeRunnable(source: SourceText, plan: Plan, relations: Relations): RunnableQuery {
  return runnableOf(source, prepare(source, plan), relations);
}

function prepare(source: SourceText, plan: Plan): Plan {
  return supported(source, () => preparePlan(plan));
}

function runnableOf(source: SourceText, plan: Plan, { readers, scans }: Relations): RunnableQuery {
  return {
    plan,
    lowered: lower(source, plan, { readers, scans, hasErrorPositions: false }),
    located: async () => lower(source, plan, { readers, scans, hasErrorPositions: true }),
    over: async (rows) => runnableOf(source, plan, { readers: new Map([...readers, ...rows.readers]), scans: rows.scans }),
  };
}

/** Lowers a prepared plan over relations. Throws a QueryFailure if it has no SQL form. */
export function lower(source: SourceText, plan: Plan, at: Relations & { readonly hasErrorPositions: boolean }): LoweredQuery {
  return supported(source, () =>
    lowerPrepared(plan, {
      hasErrorPositions: at.hasErrorPositions,
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
    }),
  );
}

/** Runs a step of the lowering; throws a QueryFailure where the engine does not support a part of the plan. */
function supported<Result>(source: SourceText, step: () => Result): Result {
  try {
    return step();
  } catch (thrown) {
    if (thrown instanceof LoweringUnsupported)
      throw invalidQuery([{ message: thrown.message, positions: [source.positionOf(thrown.span)] }]);
    throw thrown;
  }
}

/** Maximum number of printed diagnostics. */
const MOST_ERRORS = 1000;

function toQueryErrors(source: SourceText, diagnostics: readonly Diagnostic[]): readonly QueryError[] {
  const told = diagnostics.slice(0, MOST_ERRORS).map((diagnostic) => toQueryError(source, diagnostic));
  const more = diagnostics.length - told.length;
  return more === 0 ? told : [...told, { message: `there are ${more} more errors`, positions: [] }];
}

/** Converts a diagnostic to its wire format. */
function toQueryError(source: SourceText, diagnostic: Diagnostic): QueryError {
  return { message: diagnostic.message, positions: diagnostic.spans.map((span: Span) => source.positionOf(span)) };
}
