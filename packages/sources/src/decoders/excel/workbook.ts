import { ReadFailure } from '@svc/text-formats';

import type { XmlNode } from '../xml/xml-node.ts';
import { xmlNodes } from '../xml/xml-nodes.ts';
import { isDateFormat } from './serial-date.ts';
import type { ZipFile } from './zip-file.ts';

/** Shared parts of a workbook that cells refer to. */
export interface Workbook {
  /** By index. */
  readonly strings: readonly string[];
  /** By index of the style: whether its numbers are dates. */
  readonly dateStyles: readonly boolean[];
  readonly is1904: boolean;
  /** Name of the archive part that contains the sheet. */
  readonly sheetPart: string;
}

/** Shared strings are kept in memory while a sheet is read. */
const MOST_SHARED_CHARACTERS = 64 * 2 ** 20;
/** Overhead of a string in characters. */
const WEIGHT_OF_STRING = 40;
const WORKBOOK = 'xl/workbook.xml';

/** Reads the shared parts of a workbook, and finds a sheet; null: the first. Fails with a ReadFailure. */
export async function readWorkbook(zip: ZipFile, sheet: string | null, signal: AbortSignal): Promise<Workbook> {
  const [root] = await allNodes(zip, WORKBOOK, signal);
  const sheets = childrenOf(childrenOf(root, 'sheets')[0], 'sheet');
  const wanted = findSheet(sheets, sheet);
  const id = attribute(wanted, 'r:id') ?? wanted.attributes.find(([name]) => name.endsWith(':id'))?.[1];
  const [relations] = await allNodes(zip, 'xl/_rels/workbook.xml.rels', signal);
  const target = childrenOf(relations, 'Relationship').find((node) => attribute(node, 'Id') === id);
  const path = attribute(target, 'Target') ?? 'worksheets/sheet1.xml';
  const is1904 = attribute(childrenOf(root, 'workbookPr')[0], 'date1904');
  const dateStyles = await readStyles(zip, signal);
  return {
    strings: await readStrings(zip, signal),
    dateStyles,
    is1904: is1904 === '1' || is1904 === 'true',
    sheetPart: path.startsWith('/') ? path.slice(1) : `xl/${path}`,
  };
}

function findSheet(sheets: readonly XmlNode[], name: string | null): XmlNode {
  const nameOf = (node: XmlNode): string => attribute(node, 'name') ?? '';
  const found =
    name === null
      ? sheets[0]
      : (sheets.find((node) => nameOf(node) === name) ?? sheets.find((node) => nameOf(node).toLowerCase() === name.toLowerCase()));
  if (found !== undefined) return found;
  throw new ReadFailure(
    'unreadable',
    name === null ? 'the workbook has no sheet' : `there is no sheet ${name}: expected one of ${sheets.map(nameOf).join(', ')}`,
  );
}

async function readStrings(zip: ZipFile, signal: AbortSignal): Promise<readonly string[]> {
  const strings: string[] = [];
  let held = 0;
  if (!zip.has('xl/sharedStrings.xml')) return strings;
  for await (const nodes of xmlNodes(zip.text('xl/sharedStrings.xml', signal), { kind: 'named', tag: 'si' })) {
    for (const node of nodes) {
      const text = richText(node);
      held += text.length + WEIGHT_OF_STRING;
      if (held > MOST_SHARED_CHARACTERS) throw new ReadFailure('unreadable', 'the workbook holds more text than can be read');
      strings.push(text);
    }
  }
  return strings;
}

/** Concatenates the runs of a text without its phonetic runs. */
export function richText(node: XmlNode): string {
  return node.children.map((child) => (child.name === 't' ? plainText(child.text) : child.name === 'r' ? richText(child) : '')).join('');
}

/** Excel writes a character that XML does not keep by its code: `_x000D_` is a CR, and `_x005F_` the `_` of such a text (ECMA-376, ST_Xstring). */
export function plainText(written: string): string {
  return written.replace(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

async function readStyles(zip: ZipFile, signal: AbortSignal): Promise<readonly boolean[]> {
  if (!zip.has('xl/styles.xml')) return [];
  const [root] = await allNodes(zip, 'xl/styles.xml', signal);
  const codes = new Map(
    childrenOf(childrenOf(root, 'numFmts')[0], 'numFmt').map((node) => [attribute(node, 'numFmtId'), attribute(node, 'formatCode') ?? '']),
  );
  return childrenOf(childrenOf(root, 'cellXfs')[0], 'xf').map((node) => {
    const id = attribute(node, 'numFmtId') ?? '0';
    return isDateFormat(Number(id), codes.get(id));
  });
}

async function allNodes(zip: ZipFile, part: string, signal: AbortSignal): Promise<readonly XmlNode[]> {
  const all: XmlNode[] = [];
  for await (const nodes of xmlNodes(zip.text(part, signal), { kind: 'root' })) all.push(...nodes);
  return all;
}

function childrenOf(node: XmlNode | undefined, name: string): readonly XmlNode[] {
  return (node?.children ?? []).filter((child) => child.name === name);
}

/** The value of an attribute. */
export function attribute(node: XmlNode | undefined, name: string): string | undefined {
  return node?.attributes.find(([key]) => key === name)?.[1];
}
