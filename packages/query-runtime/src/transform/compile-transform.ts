import type { CatalogReader } from '@svc/catalog';
import { invalidQuery, isQueryFailure } from '@svc/errors';
import { messagesRelation, printMessageRows, type MessageRowForm, type PrintedRows } from '@svc/query-engine';
import {
  checkTransform,
  MESSAGE_COLUMNS,
  MESSAGES,
  type NameAnswer,
  type Plan,
  type RecordType,
  type SourceText,
} from '@svc/query-language';
import { QueryReading } from '@svc/sources';

import { makeRunnable, parseText, typeOfFaultless, type RunnableQuery } from '../compile.ts';
import { completeCheck, type CheckWorld } from '../complete-check.ts';
import { refuseTooDeep } from '../refuse-too-deep.ts';
import { limitTexts, TextsTooLong, type OnText } from '../text-limit.ts';

/** Environment of a transform's compilation: the namespace of its imports, and its limit. */
export interface TransformWorld {
  readonly namespace: string;
  readonly catalog: Pick<CatalogReader, 'answer'>;
  readonly signal: AbortSignal;
}

/** A statement that returns one line with a row per message, in order and in either form. */
export interface TransformStatement extends RunnableQuery {
  readonly printed: Readonly<Record<MessageRowForm, PrintedRows>>;
}

/** A transform that can be run over messages. */
export interface CompiledTransform {
  readonly source: SourceText;
  readonly rowType: RecordType;
  /** Records most failures by the numbers of their messages, and continues; null if TRY cannot contain the transform. */
  readonly noted: TransformStatement | null;
  /** Marks a message that the transform fails for; null where TRY cannot hold the transform. */
  readonly tried: TransformStatement | null;
  /** Fails if the transform fails for one message. */
  readonly plain: TransformStatement;
}

/** Some thousand lines: a transform is compiled once, and blocks its service for less than a second. */
const MOST_CHARACTERS = 200_000;
const READS_NOTHING = 'a transform reads nothing but its message';

/** Checks a transform and lowers its statements. Throws a QueryFailure with all diagnostics. */
export async function compileTransform(world: TransformWorld, text: string): Promise<CompiledTransform> {
  try {
    return await compileWithin(limitTexts(MOST_CHARACTERS), world, text);
  } catch (thrown) {
    if (thrown instanceof TextsTooLong) throw invalidQuery([{ message: 'the transform is too large', positions: [] }]);
    throw thrown;
  }
}

async function compileWithin(onText: OnText, world: TransformWorld, text: string): Promise<CompiledTransform> {
  const { source, tree } = parseText(text, onText);
  return refuseTooDeep(source, async () => {
    const { result } = await completeCheck(checkWorld(world, onText), (environment) => checkTransform(tree, environment));
    const rowType = typeOfFaultless(source, { diagnostics: result.diagnostics, type: result.rowType });
    const { plain } = result;
    if (plain === null || rowType.kind !== 'RecordType') throw new Error('a transform without faults has a plan');
    return {
      source,
      rowType,
      noted: lowerTried(source, result.noted),
      tried: lowerTried(source, result.tried),
      plain: statementOf(source, plain),
    };
  });
}

function checkWorld({ namespace, catalog, signal }: TransformWorld, onText: OnText): CheckWorld {
  return {
    onText,
    reading: new QueryReading(namespace),
    namespace,
    signal,
    sources: { resolve: async () => ({ problem: READS_NOTHING, identity: null, isMisuse: true }) },
    catalog: {
      answer: async (of, needs) => {
        const answers = await catalog.answer(of, needs);
        return { ...answers, names: new Map([...answers.names].map(([key, answer]) => [key, refuseStored(answer)])), tables: new Map() };
      },
    },
    lease: async () => {
      throw new Error('a transform has nothing to look at');
    },
  };
}

function refuseStored(answer: NameAnswer): NameAnswer {
  if (answer.kind !== 'view' && answer.kind !== 'table') return answer;
  return { kind: 'refused', problem: `${READS_NOTHING}: the ${answer.kind} ${answer.name} cannot be used in it` };
}

/** Null for a transform that the engine's TRY cannot hold. */
function lowerTried(source: SourceText, plan: Plan | null): TransformStatement | null {
  try {
    return plan === null ? null : statementOf(source, plan);
  } catch (thrown) {
    if (isQueryFailure(thrown)) return null;
    throw thrown;
  }
}

function statementOf(source: SourceText, plan: Plan): TransformStatement {
  const scans = new Map([[MESSAGES, messagesRelation(MESSAGE_COLUMNS)]]);
  const runnable = makeRunnable(source, plan, { readers: new Map(), scans });
  const { lowered } = runnable;
  return { ...runnable, printed: { json: printMessageRows(lowered, 'json'), copy: printMessageRows(lowered, 'copy') } };
}
