import { parseProgram } from '../../syntax/parse.ts';
import { createSourceText } from '../../text/source-text.ts';
import { parseType } from '../../types/parse.ts';
import { printType } from '../../types/types.ts';
import type { Type } from '../../types/type.ts';
import type { PackageCheck } from '../check-package.ts';
import { checkPackage } from '../check-package.ts';
import type { CheckResult } from '../check-program.ts';
import { checkProgram } from '../check-program.ts';
import type { CheckEnvironment, NameAnswer } from '../environment.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';

/** Contents of a namespace, for tests: view texts and table types by name. */
export interface Stored {
  readonly views?: Readonly<Record<string, string>>;
  /** Types that views were stored with, if a test depends on them. */
  readonly viewTypes?: Readonly<Record<string, string>>;
  readonly tables?: Readonly<Record<string, string>>;
  readonly packages?: Readonly<Record<string, string>>;
}

function typeOf(text: string): Type {
  const parsed = parseType(text);
  if ('type' in parsed) return parsed.type;
  throw new Error(`no type: ${text}`);
}

function lookUp<T>(of: Readonly<Record<string, T>> | undefined, need: { readonly name: string; readonly isQuoted: boolean }) {
  const matches = (name: string): boolean => (need.isQuoted ? name === need.name : name.toLowerCase() === need.name.toLowerCase());
  return Object.entries(of ?? {}).find(([name]) => matches(name));
}

/** Environment that resolves everything at once. The type of a READ is spelled by its location, that of a parsed text by the text. */
export function plainEnvironment(stored: Stored): CheckEnvironment {
  return {
    findRead: ({ location }) => (location.startsWith('gone:') ? { problem: `path not found: ${location}` } : { type: typeOf(location) }),
    inferText: (_, text) => (text.startsWith('bad:') ? { problem: text } : { type: typeOf(text) }),
    findName: (need): NameAnswer => {
      const view = lookUp(stored.views, need);
      const table = lookUp(stored.tables, need);
      const viewType = view === undefined ? undefined : stored.viewTypes?.[view[0]];
      if (view !== undefined) return { kind: 'view', name: view[0], text: view[1], type: viewType === undefined ? null : typeOf(viewType) };
      if (table !== undefined) return { kind: 'table', name: table[0], type: typeOf(table[1]) };
      return { kind: 'nothing', candidates: [...Object.keys(stored.views ?? {}), ...Object.keys(stored.tables ?? {})] };
    },
    findPackage: (need) => {
      const found = lookUp(stored.packages, need);
      return found === undefined
        ? { kind: 'nothing', candidates: Object.keys(stored.packages ?? {}) }
        : { kind: 'package', name: found[0], text: found[1] };
    },
  };
}

function parsed(text: string) {
  const { tree } = parseProgram(text);
  if (tree === null) throw new Error(`errors of syntax in: ${text}`);
  return tree;
}

/** Checks a query, or the view of a name. */
export function checkText(text: string, stored: Stored = {}, view?: string): CheckResult {
  return checkProgram(parsed(text), plainEnvironment(stored), { arguments: null, ...(view === undefined ? {} : { view }) });
}

/** Checks a package. */
export function checkPackageText(text: string, stored: Stored = {}, name = 'p'): PackageCheck {
  return checkPackage(parsed(text), plainEnvironment(stored), { name });
}

/** The type, or each fault as `1:2-1:3 message`. */
export function typeOrFaults(
  text: string,
  found: { readonly type: Type | null; readonly diagnostics: readonly Diagnostic[] },
): string | readonly string[] {
  if (found.type !== null) return printType(found.type);
  const source = createSourceText(text);
  return found.diagnostics.map(({ message, spans }) => {
    const places = spans.map((span) => {
      const { begin, end } = source.positionOf(span);
      return `${begin.line}:${begin.column}-${end.line}:${end.column}`;
    });
    return `${places.join(' ')} ${message}`;
  });
}
