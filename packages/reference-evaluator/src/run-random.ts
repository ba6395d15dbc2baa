import { parseProgram, printProgram } from '@svc/query-language';
import { isExpected } from './compare.ts';
import type { Expectation } from './evaluate/program.ts';
import { evaluateProgram } from './evaluate/program.ts';
import { generateProgram } from './generate/program.ts';
import { passedOver } from './passed-over.ts';
import { printRandomProgram } from './print/term.ts';
import { DATA_TABLES, TABLE_VALUES } from './program/tables.ts';
import type { RandomProgram } from './program/term.ts';
import type { ProgramRunner, QueryOutcome } from './query-outcome.ts';
import { createTape } from './tape.ts';
import type { Value } from './values/value.ts';
import { elementsOf } from './values/value.ts';

/** Outcome of one random program; the note of a fault describes it, with the program. */
export type RandomOutcome =
  | { readonly kind: 'same' | 'failed-as-expected' | 'passed-over' | 'open' | 'not-supported'; readonly note: string }
  | { readonly kind: 'fault'; readonly note: string };

/** Run-time errors of the language. Any other error is a fault of the engine. */
const RUN_TIME_ERRORS =
  /^(\/ by zero|integer overflow|cannot cast .* to (byte|short|int|long|float)|the bytes are no UTF-8.*|.* is out of the range of .*|date or time out of range|there is no (date|time|timestamp) .*|.* is no (date|timestamp) by the template .*|.* does not (match|fit) .*|.*(LIMIT|OFFSET|limit|offset).*)$/;

/** Diagnostics for programs beyond the limits of the language. */
const REFUSALS = [
  'TRY cannot hold',
  'of one another',
  'cannot use what REDUCE',
  'cannot group what belongs to a row around',
  'the result has more than',
];

/** Resource errors that large values may cause, since the tests run with little memory and spool space. */
const LIMITS = /^the query needs more (memory|spool space) than /;

const MOST_ELEMENTS = 5_000;

/** Generates the program of a tape, runs it, and compares its outcome with that of the naive evaluator. */
export async function runRandom(
  runner: ProgramRunner,
  played: readonly number[],
  further: () => number,
): Promise<RandomOutcome & { readonly taken: readonly number[] }> {
  const tape = createTape(played, further);
  const program = generateProgram(tape, DATA_TABLES);
  const text = `l := [3, 1, NULL, 3, 2];\n${printRandomProgram(program)}`;
  const { taken } = tape;
  try {
    const note = isPrintedAgain(text) ? '' : 'printed and parsed again it is another program';
    if (note !== '') return { kind: 'fault', note: `${note}\n${text}`, taken };
    return { ...judge(program, text, await runner.outcome(text)), taken };
  } catch (thrown) {
    return {
      kind: 'fault',
      note: `thrown: ${firstLines(thrown)}\n${text}`,
      taken,
    };
  }
}

function judge(program: RandomProgram, text: string, outcome: QueryOutcome): RandomOutcome {
  const expected = evaluateProgram(program, TABLE_VALUES);
  const fault = (note: string): RandomOutcome => ({ kind: 'fault', note: `${note}\n${text}` });
  if (outcome.kind === 'invalid') {
    const messages = outcome.faults.map(({ message }) => message);
    return messages.every((message) => REFUSALS.some((refusal) => message.includes(refusal)))
      ? { kind: 'not-supported', note: messages.join('; ') }
      : fault(messages.join('; '));
  }
  if (outcome.kind === 'failed' && LIMITS.test(outcome.message) && !isSmall(expected))
    return { kind: 'not-supported', note: outcome.message };
  if (outcome.kind === 'failed' && !RUN_TIME_ERRORS.test(outcome.message)) return fault(`failed: ${outcome.message}`);
  if (expected.kind === 'open') return { kind: 'open', note: expected.reason };
  if (outcome.kind === 'failed') {
    if (expected.kind === 'failure' || expected.mayFail) return { kind: 'failed-as-expected', note: outcome.message };
    return fault(`failed with ${outcome.message}; expected ${show(expected.value)}`);
  }
  if (expected.kind === 'failure') {
    const kind = passedOver(program, outcome);
    return kind === null ? fault(`expected the failure ${expected.message}; found ${outcome.lines.join(' ')}`) : { kind, note: '' };
  }
  if (isExpected(outcome.lines, outcome.type, expected.value, program.result.shape)) return { kind: 'same', note: '' };
  return fault(`expected ${show(expected.value)}\nfound    ${outcome.lines.join(' ')}`);
}

function isSmall(expected: Expectation): boolean {
  return expected.kind === 'value' && elementsWithin(expected.value) <= MOST_ELEMENTS;
}

function elementsWithin(value: Value): number {
  if (typeof value !== 'object' || value === null) return 0;
  const parts = value.kind === 'record' ? value.values : value.kind === 'collection' ? elementsOf(value) : [];
  return parts.reduce((sum: number, part) => sum + elementsWithin(part), value.kind === 'collection' ? parts.length : 0);
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'bigint' ? `${part}` : typeof part === 'number' ? String(part) : part,
  );
}

/** Returns whether the printed form of a text parses to the same tree. */
function isPrintedAgain(text: string): boolean {
  const { tree } = parseProgram(text);
  if (tree === null) return true; // the diagnostics of the run say why
  const again = parseProgram(printProgram(tree)).tree;
  return again !== null && shapeOf(again) === shapeOf(tree);
}

function shapeOf(tree: unknown): string {
  return JSON.stringify(tree, (key, value: unknown) => (/span$/i.test(key) ? undefined : value));
}

function firstLines(thrown: unknown): string {
  return (thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)).split('\n').slice(0, 6).join('\n');
}
