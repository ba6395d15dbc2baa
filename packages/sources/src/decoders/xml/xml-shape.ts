import type { FieldType, Type } from '@svc/query-language';
import { anyType, nullable } from '@svc/query-language';
import { CellShape, MAX_FIELDS, MAX_MEMBER_FIELDS } from '@svc/text-formats';

import type { XmlNode } from './xml-node.ts';
import { besideText, isEmptyNode, leafText } from './xml-node.ts';

interface Part {
  readonly shape: CellShape;
  count: number;
}

interface Child {
  readonly shape: XmlShape;
  /** Number of elements that have it. */
  count: number;
  isRepeated: boolean;
}

/** Statistics of the elements at one place. */
export class XmlShape {
  readonly #attributes = new Map<string, Part>();
  readonly #children = new Map<string, Child>();
  readonly #leaf = new CellShape();
  readonly #beside = new CellShape();
  #elements = 0;
  #empty = 0;
  #withBesideText = 0;
  /** Number of fields, those of elements within it included. */
  #size = 0;
  /** True if it has too many fields to be a record; statistics are discarded. */
  #isTooWide = false;

  /** Adds an element; returns how many more fields the shape has for it. */
  add(node: XmlNode, depth = 0): number {
    if (this.#isTooWide) return 0;
    this.#elements += 1;
    this.#leaf.add(leafText(node));
    if (isEmptyNode(node)) {
      this.#empty += 1;
      return 0;
    }
    const before = this.#size;
    const most = depth === 0 ? MAX_FIELDS : MAX_MEMBER_FIELDS;
    const beside = besideText(node);
    if (beside !== null) {
      // The text of an element without more is no field.
      if (this.#withBesideText === 0 && node.attributes.length + node.children.length > 0) this.#size += 1;
      this.#withBesideText += 1;
    }
    this.#beside.add(beside);
    for (const [name, value] of node.attributes) {
      const known = this.#attributes.get(name);
      if (known === undefined) this.#size += 1;
      const part = known ?? { shape: new CellShape(), count: 0 };
      part.count += 1;
      part.shape.add(value === '' ? null : value);
      this.#attributes.set(name, part);
    }
    this.#addChildren(node, depth, most);
    if (this.#size > most) {
      this.#isTooWide = true;
      this.#size = 0;
      this.#attributes.clear();
      this.#children.clear();
    }
    return this.#size - before;
  }

  #addChildren(node: XmlNode, depth: number, most: number): void {
    const seen = new Set<string>();
    for (const child of node.children) {
      if (this.#size > most) return;
      const found = this.#children.get(child.name);
      if (found === undefined) this.#size += 1;
      const known = found ?? { shape: new XmlShape(), count: 0, isRepeated: false };
      if (seen.has(child.name)) known.isRepeated = true;
      else known.count += 1;
      seen.add(child.name);
      this.#size += known.shape.add(child, depth + 1);
      this.#children.set(child.name, known);
    }
  }

  /** Returns the type: that of the text if there is nothing else, otherwise a record of attributes, text and children. */
  type(reading: { readonly isSampled: boolean }): Type {
    if (this.#isTooWide) return nullable(anyType);
    if (this.#attributes.size === 0 && this.#children.size === 0) return this.#leaf.type(reading);
    const filled = this.#elements - this.#empty;
    const fields: FieldType[] = [...this.#attributes].map(([name, { shape, count }]) => ({
      name: `@${name}`,
      type: orMissing(shape.type(reading), count < filled),
    }));
    if (this.#withBesideText > 0) fields.push({ name: '#text', type: this.#beside.type(reading) });
    for (const [name, { shape, count, isRepeated }] of this.#children) {
      const type = shape.type(reading);
      fields.push(
        isRepeated
          ? { name, type: { kind: 'CollectionType', element: type, isNullable: reading.isSampled } }
          : { name, type: orMissing(type, reading.isSampled || count < filled) },
      );
    }
    return { kind: 'RecordType', fields, isNullable: reading.isSampled || this.#empty > 0 };
  }
}

function orMissing(type: Type, isMissing: boolean): Type {
  return isMissing ? nullable(type) : type;
}
