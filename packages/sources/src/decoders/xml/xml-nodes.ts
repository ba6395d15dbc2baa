import { EngineFailure } from '@svc/query-engine';
import { SaxesParser } from 'saxes';

import type { XmlNode } from './xml-node.ts';

/** Which elements are given: those of a name, the root, or the root's children. */
export type XmlRows = { readonly kind: 'named'; readonly tag: string } | { readonly kind: 'root' } | { readonly kind: 'children-of-root' };

/** Bytes of text and names of one element that is given whole, at most. */
export const MAX_NODE_CHARACTERS = 64 * 2 ** 20;
const MAX_DEPTH = 200;

/**
 * The elements of a document, one after the other, without holding more than one. Entities are the five that XML knows and
 * numbers: a document's own are not read, so that it can neither reach other files nor swell. Fails with an EngineFailure
 * that names line and column.
 */
export async function* xmlNodes(text: AsyncIterable<string>, rows: XmlRows): AsyncGenerator<XmlNode> {
  const reader = new NodeReader(rows);
  for await (const piece of text) {
    for (let at = 0; at < piece.length; at += PIECE) yield* reader.push(piece.slice(at, at + PIECE));
  }
  yield* reader.end();
}

/** The same of a text that is there as a whole. */
export function xmlNodesOfText(text: string, rows: XmlRows): readonly XmlNode[] {
  const reader = new NodeReader(rows);
  return [...reader.push(text), ...reader.end()];
}

/** The parser keeps what it is given until it has read all of it. */
const PIECE = 2 ** 16;

class NodeReader {
  readonly #parser = new SaxesParser({ position: true });
  readonly #rows: XmlRows;
  /** The elements that are open within one that is wanted, the outermost first. */
  readonly #open: XmlNode[] = [];
  #done: XmlNode[] = [];
  #depth = 0;
  #characters = 0;
  #hasRoot = false;

  constructor(rows: XmlRows) {
    this.#rows = rows;
    this.#parser.on('error', (error) => {
      throw this.#failure(error.message.replace(/^\d+:\d+: /, ''));
    });
    this.#parser.on('opentag', (tag) => this.#begin(tag.name, tag.attributes as Readonly<Record<string, string>>));
    // Namespaces are not asked for: attributes are texts.
    this.#parser.on('closetag', () => this.#end());
    this.#parser.on('text', (text) => this.#addText(text));
    this.#parser.on('cdata', (text) => this.#addText(text));
  }

  *push(piece: string): Generator<XmlNode> {
    this.#parser.write(piece);
    yield* this.#take();
  }

  *end(): Generator<XmlNode> {
    this.#parser.close();
    if (!this.#hasRoot) throw this.#failure('there is no element');
    yield* this.#take();
  }

  #take(): readonly XmlNode[] {
    const done = this.#done;
    this.#done = [];
    return done;
  }

  #begin(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#depth += 1;
    this.#hasRoot = true;
    if (this.#depth > MAX_DEPTH) throw this.#failure(`elements are nested more than ${MAX_DEPTH} levels deep`);
    const parent = this.#open.at(-1);
    if (parent === undefined && !this.#isWanted(name)) return;
    const own = Object.entries(attributes).filter(([key]) => key !== 'xmlns' && !key.startsWith('xmlns:'));
    this.#count(name.length + own.reduce((sum, [key, value]) => sum + key.length + value.length, 0));
    const node: XmlNode = { name, attributes: own, children: [], text: '', line: this.#parser.line };
    parent?.children.push(node);
    this.#open.push(node);
  }

  #isWanted(name: string): boolean {
    switch (this.#rows.kind) {
      case 'named':
        return name === this.#rows.tag;
      case 'root':
        return this.#depth === 1;
      case 'children-of-root':
        return this.#depth === 2;
      default:
        return this.#rows satisfies never;
    }
  }

  #end(): void {
    this.#depth -= 1;
    const node = this.#open.pop();
    if (node === undefined || this.#open.length > 0) return;
    this.#done.push(node);
    this.#characters = 0;
  }

  #addText(text: string): void {
    const node = this.#open.at(-1);
    if (node === undefined) return;
    this.#count(text.length);
    node.text += text;
  }

  #count(characters: number): void {
    this.#characters += characters + 16;
    if (this.#characters <= MAX_NODE_CHARACTERS) return;
    const hint = this.#rows.kind === 'named' ? '' : ': row_tag := "…" reads a large document element by element';
    throw this.#failure(`one element is larger than ${MAX_NODE_CHARACTERS / 2 ** 20} MB${hint}`);
  }

  #failure(message: string): EngineFailure {
    return new EngineFailure('unreadable', `line ${this.#parser.line}, column ${this.#parser.column + 1}: ${message}`);
  }
}
