import { EngineFailure } from '@svc/query-engine';
import type { RecordType, Type } from '@svc/query-language';

import type { XmlNode } from './xml-node.ts';
import { besideText, isEmptyNode, leafText } from './xml-node.ts';

/** An element as JSON of a type: texts stay texts, for whoever reads them as the type. Fails where one is wanted and there are more. */
export function xmlToJson(node: XmlNode, type: Type): string {
  switch (type.kind) {
    case 'PrimitiveType':
      return JSON.stringify(leafText(node));
    case 'RecordType':
      return isEmptyNode(node) ? 'null' : recordJson(node, type);
    case 'CollectionType':
      return `[${node.children.map((child) => xmlToJson(child, type.element)).join(',')}]`;
    case 'AnyType':
      return JSON.stringify(plainValue(node));
    case 'FunctionType':
    case 'ErrorType':
      throw new Error(`XML cannot hold a ${type.kind}.`);
    default:
      return type satisfies never;
  }
}

function recordJson(node: XmlNode, type: RecordType): string {
  const members = type.fields.flatMap((field) => {
    const value = memberJson(node, field.name, field.type);
    return value === null ? [] : [`${JSON.stringify(field.name)}:${value}`];
  });
  return `{${members.join(',')}}`;
}

function memberJson(node: XmlNode, name: string, type: Type): string | null {
  if (name.startsWith('@')) {
    const value = node.attributes.find(([key]) => key === name.slice(1))?.[1];
    return value === undefined || (value === '' && type.isNullable) ? null : JSON.stringify(value);
  }
  if (name === '#text') return JSON.stringify(besideText(node));
  const children = node.children.filter((child) => child.name === name);
  if (type.kind === 'CollectionType') return `[${children.map((child) => xmlToJson(child, type.element)).join(',')}]`;
  const [only, second] = children;
  if (second !== undefined)
    throw new EngineFailure('unreadable', `line ${second.line}: ${name}: more than one element where the type has one`);
  return only === undefined ? null : xmlToJson(only, type);
}

/** Without a type: as inference would shape this one element. */
function plainValue(node: XmlNode): unknown {
  if (node.attributes.length === 0 && node.children.length === 0) return leafText(node);
  const value: [string, unknown][] = node.attributes.map(([name, text]) => [`@${name}`, text]);
  const text = besideText(node);
  if (text !== null) value.push(['#text', text]);
  for (const name of new Set(node.children.map((child) => child.name))) {
    const same = node.children.filter((child) => child.name === name).map(plainValue);
    value.push([name, same.length === 1 ? same[0] : same]);
  }
  return Object.fromEntries(value);
}
