import type { Join, SelectExpression, SelectItem, Source } from '../ast.ts';
import { LEVEL } from './level.ts';
import { printExpression, printOperand, printOrderLimit, printWindow, startsWithQuantifier } from './print-expression.ts';
import { printName } from './print-type.ts';

/** A SELECT with all its clauses, on one line. */
export function printSelect(select: SelectExpression): string {
  const items = select.items.map(printItem).join(', ');
  const on = select.distinctOn.length === 0 ? '' : `DISTINCT ON (${select.distinctOn.map(printOperand).join(', ')}) `;
  const windows = select.windows.map(({ name, window }) => `${printName(name)} AS (${printWindow(window)})`);
  const keys = select.groupBy.map(({ value, alias }) => printOperand(value) + (alias === null ? '' : ` AS ${printName(alias)}`));
  const sets = select.groupingSets?.map((set) => `(${set.map((place) => keys[place]).join(', ')})`);
  const groupBy = sets === undefined ? keys : [`GROUPING SETS (${sets.join(', ')})`];
  return [
    `SELECT ${on}${select.isDistinct ? 'DISTINCT ' : startsWithQuantifier(items) ? 'ALL ' : ''}${items}${select.sources.length === 0 ? '' : ' FROM '}${select.sources.map(printSource).join('')}`,
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
