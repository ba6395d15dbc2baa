import type { BoundArgument, Plan, Span } from '@svc/query-language';
import { printType } from '@svc/query-language';

import type { LoweredQuery } from '../lowering/lower-plan.ts';
import { LoweringUnsupported } from '../lowering/lowering-unsupported.ts';
import { checkText, faultError, planOf, type Fault } from './check-text.ts';
import { environmentOf, lowerOverTables, type TestTables } from './lower-over-tables.ts';
import { PlacedFailure, runLowered } from './run-lowered.ts';
import { openTestEngine, type TestEngine } from './with-engine.ts';

/** Outcome of a program: its result as lines of hjson, its diagnostics, or its run-time error. */
export type QueryOutcome =
  | { readonly kind: 'result'; readonly type: string; readonly lines: readonly string[] }
  | { readonly kind: 'invalid'; readonly faults: readonly Fault[] }
  | { readonly kind: 'failed'; readonly message: string; readonly span: Span | undefined };

/** Runs programs from their text on a real engine: `afterAll(runner.close)`. */
export interface QueryRunner {
  /** Returns the lines of hjson; or `! ` with the message and the text at the position of the failure. */
  readonly run: (text: string) => Promise<readonly string[]>;
  /** Returns the visible outcome of a program, called with arguments if it ends in a function. */
  readonly outcome: (text: string, args?: ReadonlyMap<string, string>) => Promise<QueryOutcome>;
  /** Returns the diagnostics of a program before it runs: it is checked and lowered. */
  readonly faultsOf: (text: string) => readonly Fault[];
  /** Returns the result lines of a plan, for plans that no program produces. */
  readonly runPlan: (plan: Plan) => Promise<readonly string[]>;
  readonly lower: (text: string, options?: { readonly hasErrorPositions: boolean }) => LoweredQuery;
  readonly close: () => Promise<void>;
}

/** Opens an engine with some tables. `tablesOf` may return others of the same types for a plan, such as with fewer rows. */
export async function openQueryRunner(
  tables: TestTables,
  { tablesOf = () => tables }: { readonly tablesOf?: (plan: Plan) => TestTables } = {},
): Promise<QueryRunner> {
  const engine = await openTestEngine();
  const environment = environmentOf(tables);
  const outcome: QueryRunner['outcome'] = async (text, args) => {
    const checked = checkText(text, environment, args);
    if ('faults' in checked) return { kind: 'invalid', faults: checked.faults };
    const { plan, arguments: bound } = checked;
    const type = printType(checked.type);
    if (plan === null) return { kind: 'result', type, lines: [] };
    const lowered = lowerOrFault(plan, tablesOf(plan));
    if ('faults' in lowered) return { kind: 'invalid', faults: lowered.faults };
    try {
      return { kind: 'result', type, lines: await runLowered(engine, lowered, bound) };
    } catch (thrown) {
      if (!(thrown instanceof PlacedFailure)) throw thrown;
      const span =
        thrown.span ?? (await placeByRunningAgain(engine, lowerOrFault(plan, tablesOf(plan), { hasErrorPositions: true }), bound));
      return { kind: 'failed', message: thrown.message, span };
    }
  };
  return {
    outcome,
    lower: (text, options) => lowerOverTables(planOf(text, environment), tables, options),
    faultsOf: (text) => {
      const checked = checkText(text, environment);
      if ('faults' in checked) return checked.faults;
      const lowered = checked.plan === null ? null : lowerOrFault(checked.plan, tables);
      return lowered !== null && 'faults' in lowered ? lowered.faults : [];
    },
    close: engine.close,
    runPlan: async (plan) => runLowered(engine, lowerOverTables(plan, tables)),
    run: async (text) => {
      const found = await outcome(text);
      if (found.kind === 'result') return found.lines;
      if (found.kind === 'invalid') throw faultError(text, found.faults);
      const at = found.span === undefined ? '' : ` at ${text.slice(found.span.start, found.span.end)}`;
      return [`! ${found.message}${at}`];
    },
  };
}

type LoweredOrFault = LoweredQuery | { readonly faults: readonly Fault[] };

function lowerOrFault(plan: Plan, tables: TestTables, options?: { readonly hasErrorPositions: boolean }): LoweredOrFault {
  try {
    return lowerOverTables(plan, tables, options);
  } catch (thrown) {
    if (thrown instanceof LoweringUnsupported) return { faults: [{ message: thrown.message, spans: [thrown.span] }] };
    throw thrown;
  }
}

/** Like the product: without a position if the located statement would take long to plan, fails differently, or does not fail. */
async function placeByRunningAgain(engine: TestEngine, located: LoweredOrFault, args: readonly BoundArgument[]): Promise<Span | undefined> {
  if ('faults' in located) return undefined;
  const again: unknown = await runLowered(engine, located, args).catch((failure: unknown) => failure);
  return again instanceof PlacedFailure ? again.span : undefined;
}
