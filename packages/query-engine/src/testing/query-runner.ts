import type { BoundArgument, CheckEnvironment, Plan, Span, Type } from '@svc/query-language';
import { checkProgram, parseProgram, parseType, printType } from '@svc/query-language';

import type { LoweredQuery } from '../lowering/lower-plan.ts';
import { lowerPlan } from '../lowering/lower-plan.ts';
import { LoweringUnsupported } from '../lowering/lowering-unsupported.ts';
import { memberNames } from '../representation/member-names.ts';
import { printRows } from '../results/print-rows.ts';
import { streamResult } from '../results/stream-result.ts';
import { EngineFailure } from '../statements/engine-failure.ts';
import { inferText } from './infer-text.ts';
import { never, openTestEngine } from './with-engine.ts';

/** Tables by name: the type of their rows and the SQL that makes them, with columns named as the type's fields. */
export type TestTables = Readonly<Record<string, { readonly type: string; readonly sql: string }>>;

/** What became of a program: its result as lines of hjson, what is wrong with it, or how it failed. */
export type QueryOutcome =
  | { readonly kind: 'result'; readonly type: string; readonly lines: readonly string[] }
  | { readonly kind: 'invalid'; readonly faults: readonly Fault[] }
  | { readonly kind: 'failed'; readonly message: string; readonly span: Span | undefined };

/** One thing that is wrong with a program. */
export interface Fault {
  readonly message: string;
  readonly spans: readonly Span[];
}

/** Runs programs from their text on a real engine: `afterAll(runner.close)`. */
export interface QueryRunner {
  /** The lines of hjson; or `! ` with the message and the text at whose place the failure is reported. */
  readonly run: (text: string) => Promise<readonly string[]>;
  /** All that a caller sees of a program, called with arguments if it ends in a function. */
  readonly outcome: (text: string, args?: ReadonlyMap<string, string>) => Promise<QueryOutcome>;
  /** What is wrong with a program before it runs: it is checked, and its SQL is made. */
  readonly faultsOf: (text: string) => readonly Fault[];
  /** The lines of a plan, for what no text makes. */
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
    inferText,
    findName: ({ name }) => {
      const table = Object.hasOwn(tables, name) ? tables[name] : undefined;
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
  const placeOf = async (plan: Plan, args: readonly BoundArgument[], thrown: PlacedFailure): Promise<Span | undefined> => {
    const known = lowerIt(plan).failures.get(thrown.failure.errorId ?? '')?.span ?? thrown.places.get(thrown.failure.line ?? -1);
    if (known !== undefined) return known;
    const located = lowerIt(plan, { isLocated: true });
    const again = await lines(located, args).catch((failure: unknown) => failure);
    return again instanceof PlacedFailure ? located.failures.get(again.failure.errorId ?? '')?.span : undefined;
  };
  const lines = async (lowered: LoweredQuery, args: readonly BoundArgument[] = []): Promise<readonly string[]> =>
    engine.withLease(async (lease) => {
      const printed = printRows(lowered, { format: 'hjson' });
      const pieces: Uint8Array[] = [];
      try {
        for await (const piece of streamResult(lease, { printed, parameters: valuesOf(lowered.parameters, args), signal: never }))
          pieces.push(piece);
      } catch (thrown) {
        throw thrown instanceof EngineFailure ? new PlacedFailure(thrown, lowered.placesOf(printed.sql)) : thrown;
      }
      return Buffer.concat(pieces).toString().split('\n').slice(0, -1);
    });
  const outcome: QueryRunner['outcome'] = async (text, args) => {
    const checked = check(text, environment, args ?? new Map());
    if ('faults' in checked) return { kind: 'invalid', faults: checked.faults };
    const type = printType(checked.type);
    if (checked.plan === null) return { kind: 'result', type, lines: [] };
    try {
      const lowered = lowerIt(checked.plan);
      return { kind: 'result', type, lines: await lines(lowered, checked.arguments) };
    } catch (thrown) {
      if (thrown instanceof LoweringUnsupported) return { kind: 'invalid', faults: [{ message: thrown.message, spans: [thrown.span] }] };
      if (!(thrown instanceof PlacedFailure)) throw thrown;
      const { failure } = thrown;
      const raised = lowerIt(checked.plan).failures.get(failure.errorId ?? '');
      const isOurs = failure.failureClass === 'internal';
      const message = isOurs ? String(failure.cause) : failure.message === '' ? (raised?.message ?? '') : failure.message;
      return { kind: 'failed', message, span: await placeOf(checked.plan, checked.arguments, thrown) };
    }
  };
  return {
    lower,
    outcome,
    faultsOf: (text) => {
      const checked = check(text, environment, new Map());
      if ('faults' in checked) return checked.faults;
      try {
        if (checked.plan !== null) lowerIt(checked.plan);
        return [];
      } catch (thrown) {
        if (thrown instanceof LoweringUnsupported) return [{ message: thrown.message, spans: [thrown.span] }];
        throw thrown;
      }
    },
    close: engine.close,
    runPlan: async (plan) => lines(lowerIt(plan)),
    run: async (text) => {
      const found = await outcome(text);
      if (found.kind === 'result') return found.lines;
      if (found.kind === 'invalid') throw new Error(`${text}: ${found.faults.map(({ message }) => message).join('; ')}`);
      const at = found.span === undefined ? '' : ` at ${text.slice(found.span.start, found.span.end)}`;
      return [`! ${found.message}${at}`];
    },
  };
}

/** The texts that a statement is run with; the clock of tests stands still. */
function valuesOf(names: readonly string[], args: readonly BoundArgument[]): readonly (string | null)[] {
  const fixed: Readonly<Record<string, string>> = {
    now: '2024-02-29 12:34:56.789',
    today: '2024-02-29',
    user: 'ann',
    scopes: '["airports:read","flights:read"]',
  };
  return names.map((name) => {
    const value = fixed[name] ?? args.find((argument) => `argument:${argument.name}` === name)?.value;
    if (value === undefined) throw new Error(`nothing is bound to ${name}`);
    return value === null ? null : String(value);
  });
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

type Checked =
  | { readonly faults: readonly Fault[] }
  | { readonly type: Type; readonly plan: Plan | null; readonly arguments: readonly BoundArgument[] };

function check(text: string, environment: CheckEnvironment, args: ReadonlyMap<string, string>): Checked {
  const parsed = parseProgram(text);
  if (parsed.tree === null) return { faults: parsed.diagnostics };
  const result = checkProgram(parsed.tree, environment, { arguments: args });
  if (result.diagnostics.length > 0) return { faults: result.diagnostics };
  if (result.type === null) throw new Error(`${text}: ${JSON.stringify(result.needs)}`);
  return { type: result.type, plan: result.plan, arguments: result.arguments };
}

function planOf(text: string, environment: CheckEnvironment): Plan {
  const checked = check(text, environment, new Map());
  if ('faults' in checked) throw new Error(`${text}: ${checked.faults.map(({ message }) => message).join('; ')}`);
  if (checked.plan === null) throw new Error(`${text}: a function cannot be run`);
  return checked.plan;
}

function typeOf(text: string): Type {
  const parsed = parseType(text);
  if (!('type' in parsed)) throw new Error(`${text} is no type`);
  return parsed.type;
}
