import { writeText, type Text } from './texts.ts';

/** Rows of one column `e`. */
export interface Rows {
  readonly kind: 'int' | 'string';
  readonly values: readonly (number | string)[];
}

/** A fault in a text; `column` is its position, null if the message contains it. */
export interface Fault {
  readonly fault: string;
  readonly column: number | null;
}

interface Used {
  readonly kind: 'view' | 'table' | 'package';
  readonly name: string;
}

/** A stored object. */
export type Stored =
  | { readonly kind: 'table'; readonly name: string; readonly rows: Rows }
  | {
      readonly kind: 'view' | 'package';
      readonly name: string;
      readonly text: Text;
      readonly type: string;
      readonly uses: readonly Used[];
      readonly isReplaced: boolean;
    };

/** The required contents of a namespace after a sequence of calls: the specification of views, packages and tables in plain code. */
export class NamespaceModel {
  /** Views and tables share their names, by name in lower case. */
  readonly names = new Map<string, Stored>();
  readonly packages = new Map<string, Stored>();

  /** The value of a view's or a query's text; `trail`: the texts that lead to it. */
  valueOf(text: Text, trail: readonly string[] = []): Rows | Fault {
    const { column } = writeText(text);
    if (text.form === 'literal') return { kind: typeof text.values[0] === 'string' ? 'string' : 'int', values: text.values };
    if (text.form === 'plus') {
      const rows = this.rowsOf(text.source, column, trail);
      if ('fault' in rows) return rows;
      return { kind: rows.kind, values: rows.values.map((e) => (typeof e === 'string' ? e + String(text.by) : e + text.by)) };
    }
    if (text.form !== 'imported-rows') throw new Error(`${text.form} is no text of a view`);
    const at = { name: 'rows', column, nameColumn: column + text.from.length + 8 };
    return this.#imported(text.from, at, trail, (code, inner) =>
      code.form === 'rows' ? this.rowsOf(code.source, writeText(code).column, inner) : null,
    );
  }

  /** Returns the value of a whole package: its number, or its rows. */
  packageValue(text: Text, trail: readonly string[]): Rows | number | Fault {
    const { column } = writeText(text);
    if (text.form === 'rows') return this.rowsOf(text.source, column, trail);
    return this.#numberOf(text, trail);
  }

  /** Returns the rows of a name used at a column. */
  rowsOf(name: string, column: number, trail: readonly string[]): Rows | Fault {
    const stored = this.names.get(name.toLowerCase());
    if (stored === undefined) return { fault: `${name} is not declared`, column };
    if (stored.kind === 'table') return stored.rows;
    const member = `view ${stored.name}`;
    const cycle = cycleOf(trail, member);
    if (cycle !== null) return { fault: `${member} uses itself: ${cycle}`, column };
    const rows = this.valueOf(stored.text, [...trail, member]);
    if ('fault' in rows) return { fault: `${member} cannot be used: ${causeOf(rows)}`, column: null };
    const type = typeOf(rows);
    return type === stored.type ? rows : { fault: `${member} was ${stored.type} when it was saved and is ${type} now`, column };
  }

  #numberOf(text: Text, trail: readonly string[]): number | Fault {
    if (text.form === 'number') return text.value;
    if (text.form !== 'successor') throw new Error(`${text.form} has no number`);
    const { column } = writeText(text);
    const before = this.#imported(text.from, { name: 'num', column, nameColumn: column + text.from.length + 8 }, trail, (code, inner) =>
      code.form === 'number' || code.form === 'successor' ? this.#numberOf(code, inner) : null,
    );
    return typeof before === 'number' ? before + 1 : before;
  }

  /** Resolves a declaration of a package; `value` returns null if the package does not declare the name. */
  #imported<Value extends object | number>(
    from: string,
    at: { readonly name: string; readonly column: number; readonly nameColumn: number },
    trail: readonly string[],
    value: (code: Text, trail: readonly string[]) => Value | Fault | null,
  ): Value | Fault {
    const code = this.packages.get(from.toLowerCase());
    if (code === undefined || code.kind === 'table') return { fault: `package ${from} does not exist`, column: at.column };
    const member = `package ${code.name}`;
    const cycle = cycleOf(trail, member);
    if (cycle !== null) return { fault: `${member} imports itself: ${cycle}`, column: at.column };
    const inner = [...trail, member];
    // Its own imports are checked before its declarations.
    const opened = code.text.form === 'successor' ? this.#numberOf(code.text, inner) : null;
    const found = opened !== null && typeof opened !== 'number' ? opened : value(code.text, inner);
    if (found === null) return { fault: `${at.name} is not declared`, column: at.nameColumn };
    return isFault(found) ? { fault: `${member} cannot be used: ${causeOf(found)}`, column: null } : found;
  }
}

/** Returns whether a result is a fault. */
export function isFault(value: object | number): value is Fault {
  return typeof value === 'object' && 'fault' in value;
}

/** The type of rows as it prints. */
export function typeOf({ kind }: Rows): string {
  return `collection(record(e: ${kind}))`;
}

function causeOf({ fault, column }: Fault): string {
  return column === null ? fault : `${fault} at 1:${column}`;
}

/** The way from a member of the trail back to itself. */
function cycleOf(trail: readonly string[], member: string): string | null {
  const from = trail.findIndex((other) => other.toLowerCase() === member.toLowerCase());
  return from === -1 ? null : [...trail.slice(from), member].join(' → ');
}
