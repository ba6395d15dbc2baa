/**
 * Messages between the event loop and the compile thread: plain data. Parts as large as the program are bytes and numbers,
 * which the event loop receives at no cost.
 */
import { deserialize, serialize } from 'node:v8';

import type { QueryError } from '@svc/errors';
import type { LoweredQuery, RaisedFailure, Reader, ReaderRelation } from '@svc/query-engine';
import type { Need, Plan, Span } from '@svc/query-language';
import { createSourceText } from '@svc/query-language';
import type { ResolvedRead } from '@svc/sources';

import type { CheckedPackage, CheckedText } from './check-stored.ts';
import type { CompiledQuery, RunnableQuery } from './compile.ts';

/** Kinds of jobs, with their results. */
export interface Jobs {
  readonly query: {
    readonly job: { readonly text: string; readonly arguments: ReadonlyMap<string, string> | null };
    readonly found: PackedQuery;
  };
  readonly view: { readonly job: { readonly text: string; readonly name: string }; readonly found: CheckedText };
  readonly package: { readonly job: { readonly text: string; readonly name: string }; readonly found: CheckedPackage };
  readonly statement: { readonly job: StatementJob; readonly found: PackedStatement };
}

/** A plan to be lowered again. */
export interface StatementJob {
  readonly text: string;
  readonly plan: Uint8Array;
  readonly readers: ReadonlyMap<string, Reader>;
  readonly scans: ReadonlyMap<string, ReaderRelation>;
  readonly hasErrorPositions: boolean;
}

/** A job with its kind. */
export type Job = { readonly [Kind in keyof Jobs]: { readonly kind: Kind } & Jobs[Kind]['job'] }[keyof Jobs];

/** Messages to the thread. */
export type ToThread =
  | { readonly kind: 'job'; readonly job: Job; readonly namespace: string; readonly hasCatalog: boolean }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown };

/** Messages of the thread: it has started, it needs inputs, the job has ended. */
export type FromThread =
  | { readonly kind: 'begun' }
  | { readonly kind: 'ask'; readonly id: number; readonly needs: readonly Need[] }
  | { readonly kind: 'found'; readonly found: Jobs[keyof Jobs]['found'] }
  | { readonly kind: 'invalid'; readonly errors: readonly QueryError[] }
  | { readonly kind: 'failed'; readonly reason: string };

/** A compiled query without the parts that only the event loop has. */
export interface PackedQuery extends Omit<CompiledQuery, 'source' | 'runnable' | 'reads'> {
  /** Keys of the reads that can be run. */
  readonly reads: readonly string[];
  readonly runnable: { readonly plan: Uint8Array; readonly lowered: PackedStatement } | null;
  /** Time of the lowering in milliseconds. */
  readonly lowerMillis: number;
}

/** A statement with failures and places encoded as numbers, since their count grows with the program. */
export interface PackedStatement extends Omit<LoweredQuery, 'failures' | 'places'> {
  readonly ids: string;
  readonly messages: readonly string[];
  /** Three numbers per failure: the number of its message, start and end of its place. */
  readonly failures: Uint32Array;
  /** Three numbers per cast: its line, start and end of its place. */
  readonly places: Uint32Array;
}

/** Serializes a query. */
export function packQuery(query: CompiledQuery, lowerMillis: number): PackedQuery {
  const { type, sources, tables, catalogVersion, version, bytes, makesRows, runnable, reads } = query;
  return {
    ...{ type, sources, tables, catalogVersion, version, bytes, makesRows, arguments: query.arguments },
    reads: [...reads.keys()],
    runnable: runnable === null ? null : { plan: serialize(runnable.plan), lowered: packStatement(runnable.lowered) },
    lowerMillis,
  };
}

/** Lowers a statement again; `readers` replace those that the query was compiled with. */
export type Relower = (job: Omit<StatementJob, 'text' | 'plan'>) => Promise<LoweredQuery>;

/** Restores a serialized query, with its reads. */
export function unpackQuery(
  packed: PackedQuery,
  at: { readonly text: string; readonly reads: ReadonlyMap<string, ResolvedRead>; readonly relower: (plan: Uint8Array) => Relower },
): CompiledQuery {
  const { runnable, reads, ...rest } = packed;
  return {
    ...rest,
    source: createSourceText(at.text),
    reads: new Map([...at.reads].filter(([key]) => reads.includes(key))),
    runnable: runnable === null ? null : unpackRunnable(runnable.plan, unpackStatement(runnable.lowered), at.relower(runnable.plan)),
  };
}

/** Keeps the plan serialized until it is accessed, which is rare. */
function unpackRunnable(plan: Uint8Array, lowered: LoweredQuery, relower: Relower): RunnableQuery {
  return {
    get plan(): Plan {
      return readPlan(plan);
    },
    lowered,
    located: () => relower({ scans: new Map(), readers: new Map(), hasErrorPositions: true }),
    over: async (rows) => {
      const opened = await relower({ ...rows, hasErrorPositions: false });
      return unpackRunnable(plan, opened, ({ hasErrorPositions }) => relower({ ...rows, hasErrorPositions }));
    },
  };
}

/** The plan that the bytes are. */
export function readPlan(bytes: Uint8Array): Plan {
  return deserialize(bytes) as Plan; // written by packQuery
}

/** Serializes a statement. */
export function packStatement(statement: LoweredQuery): PackedStatement {
  const { sql, layout, isCollection, maxCardinality, isRowByRow, isUncounted, parameters, failures, places } = statement;
  const messages = new Map<string, number>();
  const numberOf = (message: string): number => {
    const known = messages.get(message) ?? messages.size;
    messages.set(message, known);
    return known;
  };
  const packed = Uint32Array.from([...failures.values()].flatMap(({ message, span }) => [numberOf(message), span.start, span.end]));
  return {
    ...{ sql, layout, isCollection, maxCardinality, isRowByRow, isUncounted, parameters },
    ids: [...failures.keys()].join(' '),
    messages: [...messages.keys()],
    failures: packed,
    places: Uint32Array.from([...places].flatMap(([line, { start, end }]) => [line, start, end])),
  };
}

/** The statement as it was sent. Its failures are unpacked when one is looked for. */
export function unpackStatement({ ids, messages, failures: packed, places, ...rest }: PackedStatement): LoweredQuery {
  const at = (numbers: Uint32Array, i: number): Span => ({ start: numbers[i] ?? 0, end: numbers[i + 1] ?? 0 });
  return {
    ...rest,
    get failures(): ReadonlyMap<string, RaisedFailure> {
      const names = ids === '' ? [] : ids.split(' ');
      return new Map(names.map((id, i) => [id, { message: messages[packed[3 * i] ?? 0] ?? '', span: at(packed, 3 * i + 1) }]));
    },
    get places(): ReadonlyMap<number, Span> {
      return new Map(Array.from({ length: places.length / 3 }, (_, i) => [places[3 * i] ?? 0, at(places, 3 * i + 1)]));
    },
  };
}
