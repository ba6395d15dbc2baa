import { printLiteral } from './print-literal.ts';
import type { Aggregate, Item, Order, Select, Source, Window } from './select-term.ts';
import type { Binary, FunctionDeclaration, RandomProgram, Term, TermKind } from './term.ts';

/** How tightly an expression holds together, loosest first, as the language page lists the operators. */
const LEVELS = {
  open: 0,
  union: 1,
  intersect: 2,
  or: 3,
  and: 4,
  not: 5,
  comparison: 6,
  postfix: 7,
  append: 8,
  sum: 9,
  product: 10,
  unary: 11,
  access: 12,
  primary: 13,
} as const;

const BINARY_LEVELS: Readonly<Record<Binary['operator'], number>> = {
  UNION: LEVELS.union,
  'UNION ALL': LEVELS.union,
  EXCEPT: LEVELS.union,
  INTERSECT: LEVELS.intersect,
  OR: LEVELS.or,
  AND: LEVELS.and,
  '=': LEVELS.comparison,
  '<>': LEVELS.comparison,
  '<': LEVELS.comparison,
  '<=': LEVELS.comparison,
  '>': LEVELS.comparison,
  '>=': LEVELS.comparison,
  'IS DISTINCT FROM': LEVELS.comparison,
  'IS NOT DISTINCT FROM': LEVELS.comparison,
  '++': LEVELS.append,
  '+++': LEVELS.append,
  '+': LEVELS.sum,
  '-': LEVELS.sum,
  '||': LEVELS.sum,
  '*': LEVELS.product,
  '/': LEVELS.product,
  '%': LEVELS.product,
};

/** A program as text, with as few parentheses as its meaning needs. */
export function printRandomProgram({ declarations, result }: RandomProgram): string {
  const lines = declarations.map((declaration) =>
    declaration.kind === 'data' ? `${declaration.name} := ${print(declaration.value)};` : printFunction(declaration),
  );
  return [...lines, print(result)].join('\n');
}

function printFunction({ name, parameters, body }: FunctionDeclaration): string {
  const written = parameters.map((parameter) => `${parameter.name}: ${parameter.shape}${parameter.isNullable ? ' nullable' : ''}`);
  return `${name}(${written.join(', ')}) := ${print(body)};`;
}

/** An expression where anything may stand. */
function print(term: Term): string {
  return WRITERS[term.kind](term as never);
}

/** An expression where only what holds together as tightly may stand without parentheses. */
function at(level: number, term: Term): string {
  return levelOf(term) < level ? `(${print(term)})` : print(term);
}

/** In a clause and beside other arguments and fields a SELECT and a chain of set operators need parentheses. */
const part = (term: Term): string => (term.kind === 'if' ? print(term) : at(LEVELS.or, term));

function levelOf(term: Term): number {
  switch (term.kind) {
    case 'select':
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
    case 'try':
    case 'cast':
      return LEVELS.primary;
  }
}

const WRITERS: { readonly [Kind in TermKind]: (term: Extract<Term, { readonly kind: Kind }>) => string } = {
  literal: ({ value, shape }) => printLiteral(value, shape),
  null: () => 'NULL',
  variable: ({ name }) => name,
  'item-name': ({ name, index }) => name ?? String(index + 1),
  key: ({ written }) => print(written),
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
  // At the start of an argument or an item the word would be the one before it.
  call: ({ name, arguments: args }) =>
    name === 'DISTINCT'
      ? `(DISTINCT(${args.map(print).join(', ')}))`
      : `${name}(${args.length === 1 ? args.map(print).join('') : args.map(part).join(', ')})`,
  'declared-call': ({ function: { name }, arguments: args }) => `${name}(${args.map(part).join(', ')})`,
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
  'lambda-call': ({ name, collection, parameter, body }) => {
    const call = `${name}(${part(collection)}, \\(${parameter.name}) -> ${part(body)})`;
    return name === 'ALL' ? `(${call})` : call;
  },
  reduce: ({ collection, start, sofar, element, body }) =>
    `REDUCE(${part(collection)}, ${part(start)}, \\(${sofar.name}, ${element.name}) -> ${part(body)})`,
  try: ({ operand }) => `TRY(${print(operand)})`,
  cast: ({ operand, shape, isTry }) => `${isTry ? 'TRY_CAST' : 'CAST'}(${part(operand)} AS ${shape})`,
  star: () => 'COALESCE(*, [])',
  select: printSelect,
};

/** A group may stand bare as an item or a source, and nowhere else but in calls. */
const printBare = (term: Term, print: (term: Term) => string): string => (term.kind === 'star' ? '*' : print(term));

/** Two minuses side by side would be a comment. */
const printMinus = (operand: string): string => (operand.startsWith('-') ? `- ${operand}` : `-${operand}`);

/** Operators of one level group to the left; comparisons make no chains. */
function printBinary({ operator, left, right }: Binary): string {
  const level = BINARY_LEVELS[operator];
  const isComparison = level === LEVELS.comparison;
  return `${at(isComparison ? level + 1 : level, left)} ${operator} ${at(level + 1, right)}`;
}

/** After IN, parentheses around one expression are a list of it where it is no collection; a collection is one either way. */
function printMembers(term: Term): string {
  return at(LEVELS.postfix, term);
}

function printAggregate({ name, argument, separator, isDistinct, orderBy, filter }: Aggregate): string {
  const written = argument === null ? '*' : `${isDistinct ? 'DISTINCT ' : ''}${part(argument)}`;
  const order = orderBy.length === 0 ? '' : ` ORDER BY ${orderBy.map(printOrder).join(', ')}`;
  const rest = separator === null ? '' : `, ${JSON.stringify(separator)}`;
  return `${name}(${written}${rest}${order})${filter === null ? '' : ` FILTER (WHERE ${part(filter)})`}`;
}

function printWindow({ name, argument, offset, partitionBy, orderBy, rowsBefore }: Window): string {
  const none = name === 'COUNT' ? '*' : '';
  const args = `${argument === null ? none : part(argument)}${offset === null ? '' : `, ${offset}`}`;
  const over = [
    partitionBy.length === 0 ? '' : `PARTITION BY ${partitionBy.map(part).join(', ')}`,
    orderBy.length === 0 ? '' : `ORDER BY ${orderBy.map(printOrder).join(', ')}`,
    rowsBefore === null ? '' : `ROWS BETWEEN ${rowsBefore} PRECEDING AND CURRENT ROW`,
  ];
  return `${name}(${args}) OVER (${over.filter((clause) => clause !== '').join(' ')})`;
}

function printSelect(select: Select): string {
  const clause = (word: string, parts: readonly string[]): string => (parts.length === 0 ? '' : ` ${word} ${parts.join(', ')}`);
  const single = (word: string, term: Term | null): string => (term === null ? '' : ` ${word} ${part(term)}`);
  const items = select.items.flatMap((item, i) => printItem(item, select.items, i));
  const keys = select.keys.map(({ value, alias }) => part(value) + (alias === null ? '' : ` AS ${alias}`));
  return (
    `SELECT ${select.isDistinct ? 'DISTINCT ' : ''}${items.join(', ')} FROM ${select.sources.map(printSource).join('')}` +
    single('WHERE', select.where) +
    clause('GROUP BY', keys) +
    single('HAVING', select.having) +
    clause('ORDER BY', select.orderBy.map(printOrder)) +
    single('LIMIT', select.limit) +
    single('OFFSET', select.offset)
  );
}

/** What `*` stands for is written where its first field is. */
function printItem({ value, field, isFieldWritten, spread }: Item, items: readonly Item[], place: number): readonly string[] {
  if (spread === undefined) return [printBare(value, part) + (isFieldWritten && field !== null ? ` AS ${field}` : '')];
  if (items[place - 1]?.spread === spread) return [];
  const { alias, excluded, replaced } = spread;
  const values = items.filter((item) => item.spread === spread && replaced.includes(item.field ?? ''));
  const written = values.map((item) => `${part(item.value)} AS ${item.field ?? ''}`);
  const rest = [
    excluded.length === 0 ? '' : ` EXCLUDE (${excluded.join(', ')})`,
    written.length === 0 ? '' : ` REPLACE (${written.join(', ')})`,
  ];
  return [`${alias === null ? '' : `${alias}.`}*${rest.join('')}`];
}

function printSource({ join, alias, isAliasWritten, position, collection, on, using }: Source): string {
  const before = join === null ? '' : join === ',' ? ', ' : ` ${join} `;
  const name = (isAliasWritten && alias !== null ? ` AS ${alias}` : '') + (position === null ? '' : ` AT ${position.name}`);
  const names = using.map((merged) => merged.name).join(', ');
  const condition = names !== '' ? ` USING (${names})` : on === null ? '' : ` ON ${part(on)}`;
  return `${before}${printBare(collection, (term) => at(LEVELS.or, term))}${name}${condition}`;
}

function printOrder({ value, isDescending, nulls }: Order): string {
  return `${part(value)}${isDescending ? ' DESC' : ''}${nulls === null ? '' : ` NULLS ${nulls.toUpperCase()}`}`;
}
