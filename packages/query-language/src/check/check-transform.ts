import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { constant, isNull } from '../plan/build-plan.ts';
import type { Plan } from '../plan/plan.ts';
import { plainSelect } from '../plan/plain-select.ts';
import type { Program } from '../syntax/ast.ts';
import type { Span } from '../text/span.ts';
import type { FieldType, RecordType, Type } from '../types/type.ts';
import {
  binary,
  collectionOf,
  int,
  isSameType,
  long,
  notNullable,
  nullable,
  printType,
  recordOf,
  string,
  timestamp,
  undeterminedNull,
} from '../types/types.ts';
import { withinTypeLimit } from '../types/within-type-limit.ts';
import { findInTry } from './call/try-call.ts';
import type { CheckContext } from './check-context.ts';
import { freshVariable, refuse, report } from './check-context.ts';
import { convertTo, retyped } from './convert.ts';
import type { CheckEnvironment, Need } from './environment.ts';
import { wrapLets } from './let-holder.ts';
import { publicDeclarations } from './public-functions.ts';
import type { FunctionValue, Operand } from './operand.ts';
import { isFaulty } from './operand.ts';
import { startCheck } from './start-check.ts';

/** Fields of a message passed to a transform, in the order of its parameters. */
const MESSAGE_FIELDS: readonly FieldType[] = [
  { name: 'key', type: nullable(binary) },
  { name: 'value', type: nullable(binary) },
  { name: 'topic', type: string },
  { name: 'partitionNo', type: int },
  { name: 'offset', type: long },
  { name: 'timestamp', type: timestamp },
  { name: 'timestampType', type: int },
];

/** Index of a message in its batch, from 0: the column after its fields. Not visible to programs. */
const NUMBER: FieldType = { name: 'number', type: int };

/** The columns of the table of messages. */
export const MESSAGE_COLUMNS: readonly FieldType[] = [...MESSAGE_FIELDS, NUMBER];

/** The table of messages in a transform's plan. Programs cannot name it. */
export const MESSAGES = ' messages';

/** Result of checking a transform. Each plan yields one list per message, in order, holding its row, or NULL if there is none. */
export interface TransformCheck {
  readonly diagnostics: readonly Diagnostic[];
  readonly needs: readonly Need[];
  /** The type of a row, not nullable. */
  readonly rowType: RecordType | null;
  /** Evaluates to NULL in place of the list if the transform fails; null if TRY cannot contain the transform. */
  readonly tried: Plan | null;
  /** Records the failures of messages under their numbers, except failures of the engine itself; null if `tried` is. */
  readonly noted: Plan | null;
  /** Fails if the transform fails for one message. */
  readonly plain: Plan | null;
}

/** Checks a program that ends in a function of a message, or whose only public declaration is such a function. Pure and synchronous. */
export function checkTransform(program: Program, environment: CheckEnvironment): TransformCheck {
  const empty = { needs: [], rowType: null, tried: null, noted: null, plain: null };
  return withinTypeLimit((program.result ?? program).span, () => checkParts(program, environment), empty);
}

function checkParts(program: Program, environment: CheckEnvironment): TransformCheck {
  const { context, declared } = startCheck(program, environment);
  const [only, ...others] = publicDeclarations(program).filter(({ kind }) => kind !== 'TypeDeclaration');
  const end = { start: program.span.end, end: program.span.end };
  const named =
    only === undefined || others.length > 0 ? null : ({ kind: 'NameExpression', span: only.name.span, name: only.name } as const);
  const written = program.result ?? named;
  const operand: Operand =
    written === null
      ? report(context, 'transform-expected', end, PARAMETERS, 'no function')
      : context.checkOperand(written, declared.scope);
  const found = isFaulty(operand) || hasFaults(context) ? null : rowsOf(context, operand, written?.span ?? end);
  const rows = hasFaults(context) || context.needs.size > 0 ? null : found;
  const bound = (plan: Plan | null | undefined): Plan | null => (plan ? wrapLets(context.holder, plan) : null);
  return {
    diagnostics: context.diagnostics.kept.toSorted((a, b) => (a.spans[0]?.start ?? 0) - (b.spans[0]?.start ?? 0)),
    needs: [...context.needs.values()],
    rowType: rows?.rowType ?? null,
    tried: bound(rows?.tried),
    noted: bound(rows?.noted),
    plain: bound(rows?.plain),
  };
}

const PARAMETERS = MESSAGE_FIELDS.map(({ name, type }) => `${name}: ${printType(type)}`).join(', ');

function hasFaults({ diagnostics }: CheckContext): boolean {
  return diagnostics.count > 0;
}

interface Rows {
  readonly rowType: RecordType;
  /** Null where TRY cannot hold the transform. */
  readonly tried: Plan | null;
  readonly noted: Plan | null;
  readonly plain: Plan;
}

function rowsOf(context: CheckContext, operand: Operand, span: Span): Rows | null {
  if (operand.kind !== 'FunctionValue') return refuse(context, 'transform-expected', span, PARAMETERS, printType(operand.type));
  if (!hasMessageParameters(context, operand, span)) return null;
  const row = freshVariable(context);
  const message: Plan = { kind: 'Variable', type: recordOf(MESSAGE_COLUMNS), span, id: row };
  const value = rowOfMessage(operand, message, span);
  if (value === null || value.type.kind !== 'RecordType') {
    if (value === null || !isFaulty(value)) report(context, 'transform-result', span, printType(operand.type.result));
    return null;
  }
  const listed: Plan = { kind: 'CollectionLiteral', type: collectionOf(value.type), span, elements: [value] };
  const isTried = findInTry(context, listed) === null;
  const key: Plan = { kind: 'Field', type: NUMBER.type, span, target: message, index: MESSAGE_FIELDS.length };
  const messages: Plan = { kind: 'TableScan', type: collectionOf(recordOf(MESSAGE_COLUMNS)), span, table: MESSAGES };
  const overMessages = (item: Plan): Plan => plainSelect(messages, { row, item, itemVariable: freshVariable(context), span });
  // Whether the record itself may be NULL does not matter once it is a field of a table.
  return {
    rowType: notNullable(value.type) as RecordType,
    tried: isTried ? overMessages({ kind: 'Try', type: nullable(listed.type), span, operand: listed }) : null,
    noted: isTried ? overMessages({ kind: 'Noted', type: listed.type, span, operand: listed, key }) : null,
    plain: overMessages(listed),
  };
}

function hasMessageParameters(context: CheckContext, { type }: FunctionValue, span: Span): boolean {
  const parameters = type.parameters.slice(0, MESSAGE_FIELDS.length);
  if (parameters.length < MESSAGE_FIELDS.length || type.parameters.slice(MESSAGE_FIELDS.length).some(({ isOptional }) => !isOptional)) {
    report(context, 'transform-expected', span, PARAMETERS, printType(type));
    return false;
  }
  const wrong = parameters.flatMap((parameter, i) => {
    const expected = MESSAGE_FIELDS[i]?.type ?? parameter.type;
    return isSameType(notNullable(parameter.type), notNullable(expected)) ? [] : [{ number: i + 1, expected, found: parameter.type }];
  });
  for (const { number, expected, found } of wrong)
    report(context, 'transform-parameter', span, number, printType(expected), printType(found));
  return wrong.length === 0;
}

/** Applies the transform to a message. Fails for a message without a value that the transform declares as not nullable. */
function rowOfMessage(transform: FunctionValue, message: Plan, span: Span): Plan | null {
  const { parameters } = transform.type;
  const fields = MESSAGE_FIELDS.map((field, index): Plan => ({ kind: 'Field', type: field.type, span, target: message, index }));
  const given = fields.map((field, i) => (parameters[i]?.type.isNullable === true ? field : retyped(field, notNullable(field.type))));
  const applied = transform.apply([...given, ...parameters.slice(fields.length).map(() => null)], span);
  if (applied.kind === 'FunctionValue') return null;
  const branches = fields.flatMap((field, i) => {
    if (!field.type.isNullable || parameters[i]?.type.isNullable === true) return [];
    const { name, type } = MESSAGE_FIELDS[i] ?? { name: '', type: field.type };
    const problem = `the message has no ${name}, and the transform declares it as ${printType(notNullable(type))}`;
    return [{ when: isNull(field, span), then: convertTo(failure(problem, span), applied.type) }];
  });
  return branches.length === 0 ? applied : { kind: 'Case', type: applied.type, span, branches, otherwise: applied };
}

function failure(message: string, span: Span): Plan {
  const text = constant(nullable(string), message, span);
  return { kind: 'Call', type: notNullable(undeterminedNull) satisfies Type, span, function: 'ERROR', arguments: [text] };
}
