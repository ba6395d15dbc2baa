import type { CheckEnvironment, Plan, Span, Type } from '@svc/query-language';
import { checkProgram, parseProgram, parseType } from '@svc/query-language';

import type { LoweredQuery } from '../lowering/lower-plan.ts';
import { lowerPlan } from '../lowering/lower-plan.ts';
import { memberNames } from '../representation/member-names.ts';
import { printRows } from '../results/print-rows.ts';
import { streamResult } from '../results/stream-result.ts';
import { EngineFailure } from '../statements/engine-failure.ts';
import { never, openTestEngine } from './with-engine.ts';

/** Tables by name: the type of their rows and the SQL that makes them, with columns named as the type's fields. */
export type TestTables = Readonly<Record<string, { readonly type: string; readonly sql: string }>>;

/** Runs programs from their text on a real engine: `afterAll(runner.close)`. */
export interface QueryRunner {
  /** The lines of hjson; or `! ` with the message and the text at whose place the failure is reported. */
  readonly run: (text: string) => Promise<readonly string[]>;
  /** The same of a plan, for what no text makes. */
  readonly runPlan: (plan: Plan) => Promise<readonly string[]>;
  readonly lower: (text: string, options?: { readonly isLocated: boolean }) => LoweredQuery;
  readonly close: () => Promise<void>;
}

/** Opens an engine that knows some tables. */
export async function openQueryRunner(tables: TestTables): Promise<QueryRunner> {
  const engine = await openTestEngine();
  const environment: CheckEnvironment = {
    findRead: () => undefined,
    findPackage: () => undefined,
    findName: ({ name }) => {
      const table = tables[name];
      return table === undefined ? { kind: 'nothing', candidates: [] } : { kind: 'table', name, type: typeOf(`collection(${table.type})`) };
    },
  };
  const lower: QueryRunner['lower'] = (text, options) => lowerIt(planOf(text, environment), options);
  const lowerIt = (plan: Plan, options?: { readonly isLocated: boolean }): LoweredQuery =>
    lowerPlan(plan, {
      isLocated: options?.isLocated ?? false,
      reader: (key) => {
        throw new Error(`nothing is to be read: ${key}`);
      },
      tableScan: (name) => {
        const table = tables[name];
        const type = typeOf(table?.type ?? 'record()');
        if (table === undefined || type.kind !== 'RecordType') throw new Error(`there is no table ${name}`);
        const names = memberNames(type.fields);
        return {
          sql: table.sql,
          layout: { kind: 'columns', columns: type.fields.map((field, i) => ({ name: names[i] ?? field.name, field })) },
        };
      },
    });
  const placeOf = async (text: string, lowered: LoweredQuery, thrown: PlacedFailure): Promise<Span | undefined> => {
    const known = lowered.failures.get(thrown.failure.errorId ?? '')?.span ?? thrown.places.get(thrown.failure.line ?? -1);
    if (known !== undefined) return known;
    const located = lower(text, { isLocated: true });
    const again = await lines(located).catch((failure: unknown) => failure);
    return again instanceof PlacedFailure ? located.failures.get(again.failure.errorId ?? '')?.span : undefined;
  };
  const lines = async (lowered: LoweredQuery): Promise<readonly string[]> =>
    engine.withLease(async (lease) => {
      const printed = printRows({
        relationSql: lowered.sql,
        layout: lowered.layout,
        isCollection: lowered.isCollection,
        format: 'hjson',
        lineEnding: 'unix',
      });
      const pieces: Uint8Array[] = [];
      try {
        for await (const piece of streamResult(lease, { printed, signal: never })) pieces.push(piece);
      } catch (thrown) {
        throw thrown instanceof EngineFailure ? new PlacedFailure(thrown, lowered.placesOf(printed.sql)) : thrown;
      }
      return Buffer.concat(pieces).toString().split('\n').slice(0, -1);
    });
  return {
    lower,
    close: engine.close,
    runPlan: async (plan) => lines(lowerIt(plan)),
    run: async (text) => {
      const lowered = lower(text);
      try {
        return await lines(lowered);
      } catch (thrown) {
        if (!(thrown instanceof PlacedFailure)) throw thrown;
        const { failure } = thrown;
        const raised = lowered.failures.get(failure.errorId ?? '');
        const span = await placeOf(text, lowered, thrown);
        const at = span === undefined ? '' : ` at ${text.slice(span.start, span.end)}`;
        const isOurs = failure.failureClass === 'internal';
        return [`! ${isOurs ? String(failure.cause) : failure.message === '' ? (raised?.message ?? '') : failure.message}${at}`];
      }
    },
  };
}

class PlacedFailure extends Error {
  readonly failure: EngineFailure;
  readonly places: ReadonlyMap<number, Span>;

  constructor(failure: EngineFailure, places: PlacedFailure['places']) {
    super(failure.message);
    this.failure = failure;
    this.places = places;
  }
}

function planOf(text: string, environment: CheckEnvironment): Plan {
  const parsed = parseProgram(text);
  if (parsed.tree === null) throw new Error(`${text}: ${parsed.diagnostics.map(({ message }) => message).join('; ')}`);
  let result = checkProgram(parsed.tree, environment, { arguments: null });
  for (let round = 0; round < 5 && result.needs.length > 0; round += 1)
    result = checkProgram(parsed.tree, environment, { arguments: null });
  if (result.plan === null)
    throw new Error(`${text}: ${result.diagnostics.map(({ message }) => message).join('; ')} ${JSON.stringify(result.needs)}`);
  return result.plan;
}

function typeOf(text: string): Type {
  const parsed = parseType(text);
  if (!('type' in parsed)) throw new Error(`${text} is no type`);
  return parsed.type;
}
