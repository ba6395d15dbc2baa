import type { Aggregate, Binary, DataDeclaration, FunctionDeclaration, RandomProgram, Term, TermKind, Window } from '../program/term.ts';
import { typeText } from '../values/shape.ts';
import { BINARY_LEVELS, LEVELS } from './levels.ts';
import { printConstant, printLiteral } from './literal.ts';
import type { TermPrinter } from './select.ts';
import { printChain, printOrder, printOver, printSelect } from './select.ts';

/** Prints a program, with as few parentheses as its meaning needs. */
export function printRandomProgram({ declarations, result }: RandomProgram): string {
  const lines = declarations.map((declaration) => (declaration.kind === 'data' ? printData(declaration) : printFunction(declaration)));
  return [...lines, print(result)].join('\n');
}

function printData({ name, shape, value }: DataDeclaration): string {
  return `${name}${shape === null ? '' : `: ${shape} nullable`} := ${printValue(value)};`;
}

/** Prints a collection returned by an aggregate query: under the name of the bare query, FROM would read one row. */
function printValue(value: Term): string {
  const givesCollection = value.kind === 'select' && value.isSingle && typeof value.shape === 'object' && value.shape.kind === 'collection';
  return givesCollection ? `{ ${print(value)} }` : print(value);
}

function printFunction({ name, parameters, body, isLambda }: FunctionDeclaration): string {
  const written = parameters.map(
    (parameter) =>
      `${parameter.name}: ${parameter.shape}${parameter.isNullable ? ' nullable' : ''}${parameter.default === null ? '' : ` := ${part(parameter.default)}`}`,
  );
  return isLambda ? `${name} := \\(${written.join(', ')}) -> ${print(body)};` : `${name}(${written.join(', ')}) := ${print(body)};`;
}

/** Prints an expression where anything may stand. */
function print(term: Term): string {
  return WRITERS[term.kind](term as never);
}

function at(level: number, term: Term): string {
  return levelOf(term) < level ? `(${print(term)})` : print(term);
}

function part(term: Term): string {
  return term.kind === 'if' ? print(term) : at(LEVELS.or, term);
}

const TERMS: TermPrinter = { at, part };

function levelOf(term: Term): number {
  switch (term.kind) {
    case 'select':
    case 'ordered-chain':
    case 'if':
      return LEVELS.open;
    case 'binary':
      return BINARY_LEVELS[term.operator];
    case 'unary':
      return term.operator === 'NOT' ? LEVELS.not : LEVELS.unary;
    case 'is-null':
    case 'between':
    case 'in':
    case 'like':
      return LEVELS.comparison;
    case 'exclude':
    case 'into':
    case 'parse-as':
      return LEVELS.postfix;
    case 'field':
      return term.isBare ? LEVELS.primary : LEVELS.access;
    case 'index':
      return LEVELS.access;
    case 'literal':
      return printLiteral(term.value, term.shape).startsWith('-') ? LEVELS.unary : LEVELS.primary;
    case 'key':
      return levelOf(term.written);
    case 'aggregate':
    case 'grouping':
    case 'block':
    case 'call':
    case 'case':
    case 'collection':
    case 'declared-call':
    case 'item-name':
    case 'merged':
    case 'null':
    case 'record':
    case 'star':
    case 'variable':
    case 'window':
    case 'lambda-call':
    case 'reduce':
    case 'regex':
    case 'try':
    case 'cast':
    case 'trip':
      return LEVELS.primary;
  }
}

const WRITERS: { readonly [Kind in TermKind]: (term: Extract<Term, { readonly kind: Kind }>) => string } = {
  literal: printConstant,
  null: () => 'NULL',
  variable: ({ name }) => name,
  'item-name': ({ name, index }) => name ?? String(index + 1),
  key: ({ written }) => print(written),
  grouping: ({ keys }) => `GROUPING(${keys.map(({ written }) => part(written)).join(', ')})`,
  field: ({ isBare, target, name }) => (isBare ? name : `${at(LEVELS.access, target)}.${name}`),
  merged: ({ name }) => name,
  unary: ({ operator, operand }) => (operator === 'NOT' ? `NOT ${at(LEVELS.not, operand)}` : printMinus(at(LEVELS.unary, operand))),
  binary: printBinary,
  'is-null': ({ operand, isNegated }) => `${at(LEVELS.postfix, operand)} IS ${isNegated ? 'NOT ' : ''}NULL`,
  between: ({ operand, low, high, isNegated }) =>
    `${at(LEVELS.postfix, operand)}${isNegated ? ' NOT' : ''} BETWEEN ${at(LEVELS.postfix, low)} AND ${at(LEVELS.postfix, high)}`,
  in: ({ operand, right, isNegated }) => {
    const list = 'kind' in right ? printMembers(right) : `(${right.map(part).join(', ')})`;
    return `${at(LEVELS.postfix, operand)}${isNegated ? ' NOT' : ''} IN ${list}`;
  },
  like: ({ operand, pattern, escape, isNegated, isOfAnyCase }) => {
    const operator = `${isNegated ? 'NOT ' : ''}${isOfAnyCase ? 'ILIKE' : 'LIKE'}`;
    const end = escape === null ? '' : ` ESCAPE ${JSON.stringify(escape)}`;
    return `${at(LEVELS.postfix, operand)} ${operator} ${at(LEVELS.postfix, pattern)}${end}`;
  },
  if: ({ condition, consequent, alternate }) => `IF ${part(condition)} THEN ${part(consequent)} ELSE ${at(LEVELS.or, alternate)}`,
  case: ({ operand, branches, alternate }) => {
    const head = operand === null ? 'CASE' : `CASE ${at(LEVELS.or, operand)}`;
    const written = branches.map(({ when, then }) => `WHEN ${at(LEVELS.or, when)} THEN ${at(LEVELS.or, then)}`);
    return `${[head, ...written].join(' ')}${alternate === null ? '' : ` ELSE ${at(LEVELS.or, alternate)}`} END`;
  },
  // At the start of an argument or an item, DISTINCT would be parsed as the keyword.
  call: ({ name, arguments: args }) =>
    name === 'DISTINCT'
      ? `(DISTINCT(${args.map(print).join(', ')}))`
      : `${name}(${args.length === 1 ? args.map(print).join('') : args.map(part).join(', ')})`,
  'declared-call': ({ function: { name, parameters }, arguments: args, byPosition }) => {
    const written = args.flatMap((argument, i) =>
      argument === null ? [] : [i < byPosition ? part(argument) : `${parameters[i]?.name ?? ''} := ${part(argument)}`],
    );
    return `${name}(${[...written.slice(0, byPosition), ...written.slice(byPosition).toReversed()].join(', ')})`;
  },
  block: ({ declaration, result }) => `{ ${printData(declaration)} ${print(result)} }`,
  record: ({ shape, values }) =>
    values.length > 1 && shape.fields.every(({ name }, i) => name === `_${i + 1}`)
      ? `(${values.map(part).join(', ')})`
      : `(${values.map((value, i) => `${shape.fields[i]?.name ?? ''}: ${part(value)}`).join(', ')})`,
  collection: ({ elements }) => `[${elements.map(part).join(', ')}]`,
  index: ({ target, index }) => `${at(LEVELS.access, target)}[${print(index)}]`,
  exclude: ({ operand, excluded }) => `${at(LEVELS.postfix, operand)} EXCLUDE (${excluded.join(', ')})`,
  into: ({ operand, record }) => `${at(LEVELS.postfix, operand)} INTO ${print(record)}`,
  aggregate: printAggregate,
  window: printWindow,
  'lambda-call': ({ name, collection, parameter, body, function: named }) => {
    const written = named === null ? `\\(${parameter.name}) -> ${part(body)}` : named;
    const call = `${name}(${part(collection)}, ${written})`;
    return name === 'ALL' ? `(${call})` : call;
  },
  reduce: ({ collection, start, sofar, element, body }) =>
    `REDUCE(${part(collection)}, ${part(start)}, \\(${sofar.name}, ${element.name}) -> ${part(body)})`,
  regex: ({ pattern }) => printRegex(pattern),
  'parse-as': ({ operand, pattern, onFail }) =>
    `${at(LEVELS.postfix, operand)} PARSE AS ${printRegex(pattern)}${onFail === 'skip' ? ' SKIP ON FAIL' : ''}`,
  try: ({ operand }) => `TRY(${print(operand)})`,
  cast: ({ operand, shape, isTry }) => `${isTry ? 'TRY_CAST' : 'CAST'}(${part(operand)} AS ${typeText(shape)})`,
  trip: ({ operand, through, field, shape }) =>
    through === 'json'
      ? `PARSE_JSON(TO_JSON(${print(operand)}) AS ${typeText(shape)} nullable)`
      : `CAST(CAST(${part(operand)} AS any)${field === null ? '' : `.${field.name}`} AS ${typeText(shape)} nullable)`,
  star: () => 'COALESCE(*, [])',
  select: (select) => printSelect(select, TERMS),
  'ordered-chain': (chain) => printChain(chain, printOperands(chain.operands), TERMS),
};

const printRegex = (pattern: string): string => `r"""${pattern}"""`;

/** Two minuses side by side would be a comment. */
const printMinus = (operand: string): string => (operand.startsWith('-') ? `- ${operand}` : `-${operand}`);

/** Prints the operands of a chain that ORDER BY follows: the right one is a SELECT without parentheses. */
function printOperands({ operator, left, right }: Binary): string {
  return `${at(BINARY_LEVELS[operator], left)} ${operator} ${print(right)}`;
}

/** Operators of one level are left-associative; comparisons do not chain. */
function printBinary({ operator, left, right }: Binary): string {
  const level = BINARY_LEVELS[operator];
  const isComparison = level === LEVELS.comparison;
  return `${at(isComparison ? level + 1 : level, left)} ${operator} ${at(level + 1, right)}`;
}

/**
 * After IN, parentheses around one expression are a list of it if it is not a collection; a collection is the same with or
 * without them.
 */
function printMembers(term: Term): string {
  return at(LEVELS.postfix, term);
}

function printAggregate({ name, argument, separator, by, isDistinct, orderBy, filter }: Aggregate): string {
  const written = argument === null ? '*' : `${isDistinct ? 'DISTINCT ' : ''}${part(argument)}`;
  const order = orderBy.length === 0 ? '' : ` ORDER BY ${orderBy.map((order) => printOrder(order, TERMS)).join(', ')}`;
  const rest = by !== null ? `, ${part(by)}` : separator === null ? '' : `, ${JSON.stringify(separator)}`;
  return `${name}(${written}${rest}${order})${filter === null ? '' : ` FILTER (WHERE ${part(filter)})`}`;
}

function printWindow(term: Window): string {
  const { name, argument, offset, ignoresNulls, declaredAs } = term;
  const none = name === 'COUNT' ? '*' : '';
  const far = offset === null ? '' : name === 'NTILE' ? String(offset) : `, ${offset}`;
  const args = `${argument === null ? none : part(argument)}${far}`;
  return `${name}(${args})${ignoresNulls ? ' IGNORE NULLS' : ''} OVER ${declaredAs ?? printOver(term, TERMS)}`;
}
