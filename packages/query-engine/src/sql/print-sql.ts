import type { Span } from '@svc/query-language';
import { assertNever } from '@svc/query-language';

import { columnName, quoteIdentifier, quoteText } from '../representation/sql-text.ts';
import type { Sql } from './sql.ts';

/** The text of a statement. */
export interface PrintedSql {
  readonly text: string;
  /** The places in the program of located SQL, by its line in the text, from 0. */
  readonly places: ReadonlyMap<number, Span>;
}

/** Prints SQL in the dialect of the engine. */
export function printSql(sql: Sql): PrintedSql {
  const pieces: string[] = [];
  const places = new Map<number, Span>();
  let line = 0;
  const write = (text: string): void => {
    pieces.push(text);
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) line += 1;
  };
  const print = (node: Sql): void => {
    switch (node.kind) {
      case 'template':
        for (const [i, text] of node.strings.entries()) {
          write(text);
          const part = node.parts[i];
          if (part !== undefined) print(part);
        }
        return;
      case 'list':
        for (const [i, part] of node.parts.entries()) {
          if (i > 0) write(node.separator);
          print(part);
        }
        return;
      case 'column':
        return write(columnName(node.name));
      case 'variable':
        return write(node.name);
      case 'member':
        print(node.target);
        return write(`.${/^[a-z]\d*$/.test(node.name) ? node.name : quoteIdentifier(node.name)}`);
      case 'literal':
        return write(quoteText(node.value));
      case 'verbatim':
        return write(node.text);
      case 'cast':
        write('CAST(');
        print(node.value);
        return write(` AS ${node.type})`);
      case 'located':
        write('\n');
        places.set(line, node.span);
        print(node.value);
        return write('\n');
      default:
        return assertNever(node);
    }
  };
  print(sql);
  return { text: pieces.join(''), places };
}

/** The text alone, for SQL that holds no cast of a program. */
export function sqlText(sql: Sql): string {
  return printSql(sql).text;
}
