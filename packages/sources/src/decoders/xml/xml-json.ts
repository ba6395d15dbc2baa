import type { FieldType, RecordType, Type } from '@svc/query-language';
import { assertNever } from '@svc/query-language';
import { READ_MESSAGES, ReadFailure } from '@svc/text-formats';

import type { JsonLines } from '../json-lines.ts';
import type { XmlNode } from './xml-node.ts';
import { besideText, isEmptyNode, leafText } from './xml-node.ts';

/** Writes an element as JSON. Fails with a ReadFailure if there are several where one is expected. */
export type XmlWriter = (node: XmlNode, to: JsonLines) => void;

/** Handling of members missing from the type: a failure, if the type comes from a sample, or ignored. */
export interface XmlMode {
  readonly isClosed: boolean;
}

/** Creates the writer of elements as JSON of a type: texts stay texts, for the reader to convert. */
export function xmlWriter(type: Type, mode: XmlMode): XmlWriter {
  switch (type.kind) {
    case 'PrimitiveType':
      return (node, to) => {
        if (mode.isClosed) refuseBeyond(node, NO_NAMES);
        to.add(JSON.stringify(leafText(node)));
      };
    case 'RecordType':
      return recordWriter(type, mode);
    case 'CollectionType': {
      const write = elementsWriter(type.element, mode);
      return (node, to) => write(node.children, to);
    }
    case 'AnyType':
      return (node, to) => to.add(JSON.stringify(plainValue(node)));
    case 'FunctionType':
    case 'ErrorType':
      throw new Error(`XML cannot hold a ${type.kind}.`);
    default:
      return assertNever(type);
  }
}

type ElementsWriter = (nodes: readonly XmlNode[], to: JsonLines) => void;

function elementsWriter(element: Type, mode: XmlMode): ElementsWriter {
  const write = xmlWriter(element, mode);
  return (nodes, to) => {
    to.add('[');
    let isFirst = true;
    for (const node of nodes) {
      if (!isFirst) to.add(',');
      isFirst = false;
      write(node, to);
    }
    to.add(']');
  };
}

/** A field: its value in a record, as JSON or as elements to write; null if absent. */
interface Member {
  readonly key: string;
  readonly find: (node: XmlNode, own: readonly XmlNode[]) => string | readonly XmlNode[] | null;
  readonly write: ElementsWriter;
}

const NO_NODES: readonly XmlNode[] = [];

/** Throws if an element has an attribute, a child or a text that is not in `names`. */
function refuseBeyond(node: XmlNode, names: ReadonlyMap<string, number>): void {
  const { line, name } = node;
  const beyond = (member: string, at: number): ReadFailure =>
    new ReadFailure('unreadable', `line ${at}: ${READ_MESSAGES.unknownMember(`${member} of ${name}`)}`);
  for (const [attribute] of node.attributes) if (!names.has(`@${attribute}`)) throw beyond(`@${attribute}`, line);
  for (const child of node.children) if (!names.has(child.name)) throw beyond(child.name, child.line);
  if (names !== NO_NAMES && !names.has('#text') && besideText(node) !== null) throw beyond('#text', line);
}

const NO_NAMES: ReadonlyMap<string, number> = new Map();

function recordWriter(type: RecordType, mode: XmlMode): XmlWriter {
  const members = type.fields.map((field) => memberOf(field, mode));
  const places = new Map(type.fields.map(({ name }, i) => [name, i]));
  return (node, to) => {
    if (isEmptyNode(node)) {
      to.add('null');
      return;
    }
    if (mode.isClosed) refuseBeyond(node, places);
    const own = childrenByPlace(node, places);
    let before = '{';
    members.forEach(({ key, find, write }, i) => {
      const found = find(node, own[i] ?? NO_NODES);
      if (found === null) return;
      to.add(before + key);
      before = ',';
      if (typeof found === 'string') to.add(found);
      else write(found, to);
    });
    to.add(before === '{' ? '{}' : '}');
  };
}

function childrenByPlace(node: XmlNode, places: ReadonlyMap<string, number>): readonly (readonly XmlNode[] | undefined)[] {
  const own: XmlNode[][] = [];
  for (const child of node.children) {
    const place = places.get(child.name);
    if (place === undefined) continue;
    const known = own[place];
    if (known === undefined) own[place] = [child];
    else known.push(child);
  }
  return own;
}

const writeNothing: ElementsWriter = () => undefined;

function memberOf({ name, type }: FieldType, mode: XmlMode): Member {
  const key = `${JSON.stringify(name)}:`;
  if (name.startsWith('@')) return { key, find: attributeFinder(name.slice(1), type.isNullable), write: writeNothing };
  if (name === '#text') return { key, find: (node) => JSON.stringify(besideText(node)), write: writeNothing };
  if (type.kind === 'CollectionType')
    return { key, find: (_, own) => (own.length === 0 ? '[]' : own), write: elementsWriter(type.element, mode) };
  const writeOne = xmlWriter(type, mode);
  const find: Member['find'] = (_, own) => {
    const [only, second] = own;
    if (second !== undefined)
      throw new ReadFailure('unreadable', `line ${second.line}: ${name}: more than one element where the type has one`);
    return only === undefined ? null : own;
  };
  return { key, find, write: (own, to) => own.forEach((node) => writeOne(node, to)) };
}

function attributeFinder(name: string, isNullable: boolean): Member['find'] {
  return ({ attributes }) => {
    const value = attributes.find(([key]) => key === name)?.[1];
    return value === undefined || (value === '' && isNullable) ? null : JSON.stringify(value);
  };
}

/** Without a type: as inference would shape this one element. */
function plainValue(node: XmlNode): unknown {
  if (node.attributes.length === 0 && node.children.length === 0) return leafText(node);
  const value: [string, unknown][] = node.attributes.map(([name, text]) => [`@${name}`, text]);
  const text = besideText(node);
  if (text !== null) value.push(['#text', text]);
  const byName = new Map<string, unknown[]>();
  for (const child of node.children) {
    const same = byName.get(child.name);
    if (same === undefined) byName.set(child.name, [plainValue(child)]);
    else same.push(plainValue(child));
  }
  for (const [name, same] of byName) value.push([name, same.length === 1 ? same[0] : same]);
  return Object.fromEntries(value);
}
