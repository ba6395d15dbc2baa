import type { BoundArgument, Span } from '@svc/query-language';

import type { LoweredQuery } from '../lowering/lower-plan.ts';
import { printRows } from '../results/print-rows.ts';
import { streamResult } from '../results/stream-result.ts';
import { EngineFailure } from '../statements/engine-failure.ts';
import { never, type TestEngine } from './with-engine.ts';

/** Runs a lowered query to its lines of hjson; throws a PlacedFailure if the engine fails. */
export async function runLowered(
  engine: TestEngine,
  lowered: LoweredQuery,
  args: readonly BoundArgument[] = [],
): Promise<readonly string[]> {
  const printed = printRows(lowered, { format: 'hjson' });
  const parameters = valuesOf(lowered.parameters, args);
  return engine.withLease(async (lease) => {
    const pieces: Uint8Array[] = [];
    try {
      for await (const piece of streamResult(lease, { printed, parameters, signal: never })) pieces.push(piece);
    } catch (thrown) {
      throw thrown instanceof EngineFailure ? new PlacedFailure(thrown, lowered, printed.firstLine) : thrown;
    }
    return Buffer.concat(pieces).toString().split('\n').slice(0, -1);
  });
}

/** A failure of the engine, with its position. */
export class PlacedFailure extends Error {
  readonly failure: EngineFailure;
  /** The failing expression, if the statement that failed identifies it. */
  readonly span: Span | undefined;

  constructor(failure: EngineFailure, lowered: LoweredQuery, firstLine: number) {
    const raised = lowered.failures.get(failure.errorId ?? '');
    const isOurs = failure.failureClass === 'internal';
    super(isOurs ? String(failure.cause) : failure.message === '' ? (raised?.message ?? '') : failure.message);
    this.failure = failure;
    this.span = raised?.span ?? lowered.places.get((failure.line ?? 0) - firstLine);
  }
}

/** Values of a statement's environment; the clock of tests is fixed. */
const FIXED_VALUES: Readonly<Record<string, string>> = {
  now: '2024-02-29 12:34:56.789',
  today: '2024-02-29',
  user: 'ann',
  scopes: '["airports:read","flights:read"]',
};

/** The texts that a statement is run with. */
function valuesOf(names: readonly string[], args: readonly BoundArgument[]): readonly (string | null)[] {
  return names.map((name) => {
    const value = FIXED_VALUES[name] ?? args.find((argument) => `argument:${argument.name}` === name)?.value;
    if (value === undefined) throw new Error(`nothing is bound to ${name}`);
    return value === null ? null : String(value);
  });
}
