import type {
  Argument,
  BinaryExpression,
  CallExpression,
  Declaration,
  Expression,
  FrameBound,
  InExpression,
  Join,
  NumberLiteral,
  OrderItem,
  Parameter,
  ParseAsExpression,
  RecordField,
  SelectExpression,
  SelectItem,
  SetExpression,
  Source,
  TypedCallExpression,
  UnaryExpression,
  Window,
} from '../ast.ts';
import { assertNever } from '../../assert-never.ts';
import { isBareRight, levelOf } from './level.ts';
import { LEVEL } from '../operators.ts';
import { printName, printTypeExpression } from './print-type.ts';
import { ownValue } from '../../own-value.ts';

/** Prints an expression so that it parses to the same tree, in parentheses if its precedence is below `least`. */
export function printExpression(expression: Expression, least: number = LEVEL.reachesRight): string {
  const text =
    expression.kind === 'BinaryExpression' || expression.kind === 'SetExpression' ? printChain(expression) : printForm(expression);
  return levelOf(expression) < least ? `(${text})` : text;
}

/** Prints a clause, an argument or a field of a SELECT: set operators and expressions open to the right are in parentheses. */
function printOperand(expression: Expression): string {
  return printExpression(expression, LEVEL.or);
}

function printForm(expression: Exclude<Expression, BinaryExpression | SetExpression>): string {
  switch (expression.kind) {
    case 'NullLiteral':
      return 'NULL';
    case 'BooleanLiteral':
      return expression.value ? 'TRUE' : 'FALSE';
    case 'NumberLiteral':
      return expression.text + SUFFIXES[expression.type];
    case 'StringLiteral':
      return expression.isDoubleQuoted ? printString(expression.value) : printString(expression.value, "'");
    case 'RegexLiteral':
      return `r${printString(expression.pattern)}`;
    case 'TemporalLiteral':
      return `${expression.type} ${printString(expression.text)}`;
    case 'NameExpression':
      return printName(expression.name);
    case 'StarExpression':
      return '*';
    case 'CollectionExpression':
      return `[${expression.elements.map(printOperand).join(', ')}]`;
    case 'RecordExpression':
      return printFields(expression.fields);
    case 'FieldAccess':
      return `${printExpression(expression.target, LEVEL.postfix)}.${printName(expression.field)}`;
    case 'IndexAccess':
      return `${printExpression(expression.target, LEVEL.postfix)}[${printExpression(expression.index)}]`;
    case 'CallExpression':
      return printCall(expression);
    case 'TypedCallExpression':
      return printTypedCall(expression);
    case 'UnaryExpression':
      return printUnary(expression);
    case 'OrderedChain':
      return printExpression(expression.operand, LEVEL.union) + printOrderLimit(expression);
    case 'InExpression':
      return printIn(expression);
    case 'LikeExpression': {
      const escape = expression.escape === null ? '' : ` ESCAPE ${printExpression(expression.escape, LEVEL.clause)}`;
      const operator = not(expression.isNegated) + (expression.isCaseInsensitive ? 'ILIKE' : 'LIKE');
      return `${printExpression(expression.operand, LEVEL.clause)} ${operator} ${printExpression(expression.pattern, LEVEL.clause)}${escape}`;
    }
    case 'BetweenExpression': {
      const bounds = [expression.low, expression.high].map((bound) => printExpression(bound, LEVEL.clause)).join(' AND ');
      return `${printExpression(expression.operand, LEVEL.clause)} ${not(expression.isNegated)}BETWEEN ${bounds}`;
    }
    case 'IsNullExpression':
      return `${printExpression(expression.operand, LEVEL.clause)} IS ${not(expression.isNegated)}NULL`;
    case 'IsDistinctExpression': {
      const right = printExpression(expression.right, LEVEL.clause);
      return `${printExpression(expression.left, LEVEL.clause)} IS ${not(expression.isNegated)}DISTINCT FROM ${right}`;
    }
    case 'AtTimeZoneExpression':
      return `${printExpression(expression.operand, LEVEL.zone)} AT TIME ZONE ${printExpression(expression.zone, LEVEL.postfix)}`;
    case 'IntoExpression':
      return `${printExpression(expression.operand, LEVEL.clause)} INTO ${printFields(expression.record.fields)}`;
    case 'ExcludeExpression':
      return `${printExpression(expression.operand, LEVEL.clause)} EXCLUDE (${expression.names.map(printName).join(', ')})`;
    case 'ParseAsExpression':
      return printParseAs(expression);
    case 'IfExpression': {
      const alternate =
        expression.alternate.kind === 'IfExpression' ? printExpression(expression.alternate) : printOperand(expression.alternate);
      return `IF ${printOperand(expression.condition)} THEN ${printOperand(expression.consequent)} ELSE ${alternate}`;
    }
    case 'CaseExpression': {
      const operand = expression.operand === null ? '' : ` ${printOperand(expression.operand)}`;
      const branches = expression.branches.map((branch) => ` WHEN ${printOperand(branch.when)} THEN ${printOperand(branch.then)}`).join('');
      return `CASE${operand}${branches}${expression.alternate === null ? '' : ` ELSE ${printOperand(expression.alternate)}`} END`;
    }
    case 'CastExpression':
      return `${expression.isTry ? 'TRY_CAST' : 'CAST'}(${printOperand(expression.operand)} AS ${printTypeExpression(expression.type)})`;
    case 'LambdaExpression': {
      const type = expression.resultType === null ? '' : `: ${printTypeExpression(expression.resultType)}`;
      return `\\(${expression.parameters.map(printParameter).join(', ')})${type} -> ${printOperand(expression.body)}`;
    }
    case 'BlockExpression':
      return `{ ${expression.declarations.map((declaration) => `${printDeclaration(declaration)} `).join('')}${printExpression(expression.result)} }`;
    case 'SelectExpression':
      return printSelect(expression);
    default:
      return assertNever(expression);
  }
}

const SUFFIXES: Readonly<Record<NumberLiteral['type'], string>> = { int: '', long: 'L', float: 'f', double: 'd', decimal: 'q' };

function not(isNegated: boolean): string {
  return isNegated ? 'NOT ' : '';
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '"': '\\"',
  "'": "\\'",
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\0': '\\0',
};

/** Prints a string in the given quotes. One in double quotes may hide the name of a field. */
function printString(value: string, quote: '"' | "'" = '"'): string {
  const special = quote === '"' ? /[\\"\n\r\t\0]/g : /[\\'\n\r\t\0]/g;
  return `${quote}${value.replaceAll(special, (character) => ownValue(ESCAPES, character) ?? character)}${quote}`;
}

function printFields(fields: readonly RecordField[]): string {
  const printValue = ({ value }: RecordField): string =>
    fields.length > 1 && value.kind === 'SelectExpression' ? `(${printOperand(value)})` : printOperand(value);
  return `(${fields.map((field) => (field.name === null ? '' : `${printName(field.name)}: `) + printValue(field)).join(', ')})`;
}

/** Prints binary and set operators, looping down the left side, so that a long chain uses no stack. */
function printChain(chain: BinaryExpression | SetExpression): string {
  const parts: string[] = [];
  let node: BinaryExpression | SetExpression = chain;
  for (;;) {
    const level = levelOf(node);
    const left: Expression = node.left;
    const leftLevel = level === LEVEL.comparison ? level + 1 : level;
    parts.push(` ${node.operator} ${printSide(node.right, level + 1, node.kind === 'SetExpression')}`);
    if ((left.kind !== 'BinaryExpression' && left.kind !== 'SetExpression') || levelOf(left) < leftLevel) {
      const isOpen = node.kind === 'SetExpression' && left.kind === 'SelectExpression';
      parts.push(isOpen ? printExpression(left) : printExpression(left, leftLevel));
      return parts.toReversed().join('');
    }
    node = left;
  }
}

/**
 * The right side; a SELECT in a set chain is open unless an ORDER BY would become the chain's, and `UNION ALL(…)` would
 * be another operator.
 */
function printSide(right: Expression, least: number, isSet: boolean): string {
  const isOpen = isSet && right.kind === 'SelectExpression' && right.orderBy.length === 0 && right.limit === null && right.offset === null;
  const text = printExpression(right, isOpen ? LEVEL.reachesRight : least);
  return isSet && startsWithQuantifier(text) ? `(${text})` : text;
}

/** Returns whether a text starts with a function whose name is also a keyword before an operand. */
function startsWithQuantifier(text: string): boolean {
  return /^(?:ALL|DISTINCT)\b/i.test(text);
}

/** A sign before a number would be the number's own. */
function printUnary({ operator, operand }: UnaryExpression): string {
  if (operator === 'NOT') return `NOT ${printExpression(operand, LEVEL.not)}`;
  const text = printExpression(operand, LEVEL.unary);
  if (/^\d/.test(text)) return `${operator}(${text})`;
  return `${operator}${/^[+-]/.test(text) ? ' ' : ''}${text}`;
}

/** `IN (WITH …)` and `IN (SELECT …)` are not lists. */
function printIn({ operand, isNegated, right, list }: InExpression): string {
  const head = `${printExpression(operand, LEVEL.clause)} ${not(isNegated)}IN `;
  if (right !== null) return head + printExpression(right, isBareRight(right) ? LEVEL.reachesRight : LEVEL.clause);
  const texts = (list ?? []).map(printOperand).join(', ');
  return `${head}(${/^(?:SELECT|WITH)\b/i.test(texts) ? `(${texts})` : texts})`;
}

function printParseAs({ operand, regex, onFail, failValue }: ParseAsExpression): string {
  const head = `${printExpression(operand, LEVEL.clause)} PARSE AS ${printExpression(regex, LEVEL.zone)}`;
  if (failValue === null) return onFail === 'null' ? head : `${head} ${onFail.toUpperCase()} ON FAIL`;
  const isLiteral = failValue.kind.endsWith('Literal') && failValue.kind !== 'RegexLiteral' && failValue.kind !== 'NullLiteral';
  return `${head} ${isLiteral ? printExpression(failValue) : `(${printExpression(failValue)})`} ON FAIL`;
}

function printCall(call: CallExpression): string {
  const isBare = call.callee.kind === 'NameExpression' || call.callee.kind === 'FieldAccess' || call.callee.kind === 'CallExpression';
  const callee = isBare ? printExpression(call.callee) : `(${printExpression(call.callee)})`;
  const args = call.arguments
    .map((argument, i) => {
      const text = printArgument(argument);
      return i === 0 && argument.name === null && startsWithQuantifier(text) ? `(${text})` : text;
    })
    .join(', ');
  const inside = (call.isDistinct ? 'DISTINCT ' : '') + args;
  const order = call.orderBy.length === 0 ? '' : ` ${printOrderBy(call.orderBy)}`;
  const filter = call.filter === null ? '' : ` FILTER (WHERE ${printExpression(call.filter)})`;
  const nulls = call.ignoresNulls ? ' IGNORE NULLS' : '';
  return `${callee}(${inside}${order})${filter}${nulls}${call.window === null ? '' : ` OVER (${printWindow(call.window)})`}`;
}

/** `value` or `name := value` */
function printArgument({ name, value }: Argument): string {
  return (name === null ? '' : `${printName(name)} := `) + printOperand(value);
}

function printTypedCall({ callee, arguments: args, type, typedArgument }: TypedCallExpression): string {
  const texts = args.map((argument, i) => printArgument(argument) + (i === typedArgument ? ` AS ${printTypeExpression(type)}` : ''));
  return `${printName(callee)}(${texts.join(', ')})`;
}

/** Prints a window: the contents of OVER (…), or the name of the window. */
function printWindow({ base, partitionBy, orderBy, frame }: Window): string {
  const parts: string[] = base === null ? [] : [printName(base)];
  if (partitionBy.length > 0) parts.push(`PARTITION BY ${partitionBy.map(printOperand).join(', ')}`);
  if (orderBy.length > 0) parts.push(printOrderBy(orderBy));
  if (frame !== null) parts.push(`${frame.unit.toUpperCase()} BETWEEN ${printBound(frame.start)} AND ${printBound(frame.end)}`);
  return parts.join(' ');
}

function printBound({ type, offset }: FrameBound): string {
  if (offset === null) return type.replace('-', ' ').toUpperCase();
  const text = printExpression(offset, LEVEL.append);
  return `${/^(?:CURRENT|UNBOUNDED)\b/i.test(text) ? `(${text})` : text} ${type.toUpperCase()}`;
}

/** `ORDER BY item {, item}` */
function printOrderBy(items: readonly OrderItem[]): string {
  const texts = items.map(
    ({ value, isDescending, nulls }) =>
      printOperand(value) + (isDescending ? ' DESC' : '') + (nulls === null ? '' : ` NULLS ${nulls.toUpperCase()}`),
  );
  return `ORDER BY ${texts.join(', ')}`;
}

/** Prints the clauses after a SELECT or a chain, with a leading space. */
function printOrderLimit({
  orderBy,
  limit,
  offset,
}: {
  readonly orderBy: readonly OrderItem[];
  readonly limit: Expression | null;
  readonly offset: Expression | null;
}): string {
  return (
    (orderBy.length === 0 ? '' : ` ${printOrderBy(orderBy)}`) +
    (limit === null ? '' : ` LIMIT ${printOperand(limit)}`) +
    (offset === null ? '' : ` OFFSET ${printOperand(offset)}`)
  );
}

/** A SELECT with all its clauses, on one line. */
function printSelect(select: SelectExpression): string {
  const items = select.items.map(printItem).join(', ');
  const quantifier = select.isDistinct
    ? 'DISTINCT '
    : select.distinctOn.length > 0
      ? `DISTINCT ON (${select.distinctOn.map(printOperand).join(', ')}) `
      : startsWithQuantifier(items)
        ? 'ALL '
        : '';
  const windows = select.windows.map(({ name, window }) => `${printName(name)} AS (${printWindow(window)})`);
  const keys = select.groupBy.map(({ value, alias }) => printOperand(value) + (alias === null ? '' : ` AS ${printName(alias)}`));
  const sets = select.groupingSets?.map((set) => `(${set.map((place) => keys[place]).join(', ')})`);
  const groupBy = sets === undefined ? keys : [`GROUPING SETS (${sets.join(', ')})`];
  return [
    `SELECT ${quantifier}${items}${select.sources.length === 0 ? '' : ' FROM '}${select.sources.map(printSource).join('')}`,
    select.where === null ? '' : ` WHERE ${printOperand(select.where)}`,
    select.isGroupedByAll ? ' GROUP BY ALL' : groupBy.length === 0 ? '' : ` GROUP BY ${groupBy.join(', ')}`,
    select.having === null ? '' : ` HAVING ${printOperand(select.having)}`,
    windows.length === 0 ? '' : ` WINDOW ${windows.join(', ')}`,
    select.qualify === null ? '' : ` QUALIFY ${printOperand(select.qualify)}`,
    printOrderLimit(select),
  ].join('');
}

function printItem(item: SelectItem): string {
  const alias = item.alias === null ? '' : ` AS ${printName(item.alias)}`;
  if (item.kind === 'ExpressionItem') return printOperand(item.value) + alias;
  const replace = item.replace.map(({ value, name }) => `${printOperand(value)} AS ${printName(name)}`);
  return [
    item.source === null ? '*' : `${printName(item.source)}.*`,
    item.exclude.length === 0 ? '' : ` EXCLUDE (${item.exclude.map(printName).join(', ')})`,
    replace.length === 0 ? '' : ` REPLACE (${replace.join(', ')})`,
    alias,
  ].join('');
}

function printSource({ join, collection, alias, columns, position }: Source): string {
  const source =
    printExpression(collection, LEVEL.clause) +
    (alias === null ? '' : ` AS ${printName(alias)}`) +
    (columns.length === 0 ? '' : ` (${columns.map(printName).join(', ')})`) +
    (position === null ? '' : ` AT ${printName(position)}`);
  return join === null ? source : printJoin(join) + source + printCondition(join);
}

function printJoin({ type, isComma }: Join): string {
  return isComma ? ', ' : ` ${type.toUpperCase().replace('-', ' ')} JOIN `;
}

function printCondition({ on, using }: Join): string {
  if (on !== null) return ` ON ${printOperand(on)}`;
  return using.length === 0 ? '' : ` USING (${using.map(printName).join(', ')})`;
}

/** A declaration with its `;`. */
export function printDeclaration(declaration: Declaration): string {
  const head =
    (declaration.isPrivate ? 'PRIVATE ' : '') + (declaration.kind === 'TypeDeclaration' ? 'TYPE ' : '') + printName(declaration.name);
  if (declaration.kind === 'TypeDeclaration') return `${head} := ${printTypeExpression(declaration.type)};`;
  const annotations = declaration.annotations
    .map(({ name, arguments: args }) => `@${printName(name)}(${args.map(printArgument).join(', ')}) `)
    .join('');
  const isData = declaration.kind === 'DataDeclaration';
  const parameters = isData ? '' : `(${declaration.parameters.map(printParameter).join(', ')})`;
  const type = isData ? declaration.type : declaration.resultType;
  const value = isData ? declaration.value : declaration.body;
  return `${annotations}${head}${parameters}${type === null ? '' : `: ${printTypeExpression(type)}`} := ${printExpression(value)};`;
}

/** `name [: type] [:= default]` */
function printParameter({ name, type, defaultValue }: Parameter): string {
  return (
    printName(name) +
    (type === null ? '' : `: ${printTypeExpression(type)}`) +
    (defaultValue === null ? '' : ` := ${printOperand(defaultValue)}`)
  );
}
