import { assertNever } from '@svc/query-language';
import { ReadFailure } from '@svc/text-formats';
import { SaxesParser } from 'saxes';

import type { XmlNode } from './xml-node.ts';

/** Elements to yield: those with a name, the root, or the root's children. */
export type XmlRows = { readonly kind: 'named'; readonly tag: string } | { readonly kind: 'root' } | { readonly kind: 'children-of-root' };

/** Maximum size of one yielded element, in characters: of text, plus the weight of its parts. */
export const MAX_NODE_CHARACTERS = 64 * 2 ** 20;
const WEIGHT_OF_PART = 40;
const MAX_ATTRIBUTES = 10_000;
const MAX_DEPTH = 200;

/**
 * Yields the elements of a document in batches, holding at most one chunk of the text. Entities are the five predefined ones
 * and character references: a document's own are not expanded, so that it can neither include other files nor grow. Fails
 * with a ReadFailure that names line and column.
 */
export async function* xmlNodes(text: AsyncIterable<string>, rows: XmlRows): AsyncGenerator<readonly XmlNode[]> {
  const reader = new NodeReader(rows);
  for await (const piece of text) {
    for (let at = 0; at < piece.length; at += PIECE) {
      const nodes = reader.push(piece.slice(at, at + PIECE));
      if (nodes.length > 0) yield nodes;
    }
  }
  yield reader.end();
}

/** Reads the nodes of a complete text. */
export function xmlNodesOfText(text: string, rows: XmlRows): readonly XmlNode[] {
  const reader = new NodeReader(rows);
  return [...reader.push(text), ...reader.end()];
}

/** Size of chunks for the parser, which keeps a chunk until it has read all of it. */
const PIECE = 2 ** 16;

interface OpenNode extends XmlNode {
  children: XmlNode[];
  text: string;
}

const NO_ATTRIBUTES: XmlNode['attributes'] = [];

class NodeReader {
  readonly #parser = new SaxesParser({ position: true });
  readonly #rows: XmlRows;
  /** Open elements within a selected one, outermost first. */
  readonly #open: OpenNode[] = [];
  #done: XmlNode[] = [];
  #depth = 0;
  #weight = 0;
  /** Attributes of the current tag. */
  #attributes: (readonly [string, string])[] = [];
  /** Characters since the last complete node. The parser holds them in memory. */
  #held = 0;
  #hasRoot = false;

  constructor(rows: XmlRows) {
    this.#rows = rows;
    this.#parser.on('error', (error) => {
      throw this.#failure(error.message.replace(/^\d+:\d+: /, ''));
    });
    // Namespace processing is off, so attributes are strings.
    this.#parser.on('attribute', ({ name, value }) => this.#addAttribute(name, value));
    this.#parser.on('opentag', ({ name }) => this.#begin(name));
    this.#parser.on('closetag', () => this.#end());
    this.#parser.on('text', (text) => this.#addText(text));
    this.#parser.on('cdata', (text) => this.#addText(text));
  }

  /** The elements that end in this piece. */
  push(piece: string): readonly XmlNode[] {
    this.#held += piece.length;
    if (this.#held > MAX_NODE_CHARACTERS) throw this.#tooLarge();
    this.#parser.write(piece);
    return this.#take();
  }

  end(): readonly XmlNode[] {
    this.#parser.close();
    if (!this.#hasRoot) throw this.#failure('there is no element');
    return this.#take();
  }

  #take(): readonly XmlNode[] {
    const done = this.#done;
    this.#done = [];
    return done;
  }

  #addAttribute(name: string, value: string): void {
    if (name === 'xmlns' || name.startsWith('xmlns:')) return;
    this.#attributes.push([name, value]);
    if (this.#attributes.length > MAX_ATTRIBUTES) throw this.#failure(`an element has more than ${MAX_ATTRIBUTES} attributes`);
  }

  #begin(name: string): void {
    this.#held = 0;
    this.#depth += 1;
    this.#hasRoot = true;
    if (this.#depth > MAX_DEPTH) throw this.#failure(`elements are nested more than ${MAX_DEPTH} levels deep`);
    const attributes = this.#takeAttributes();
    const parent = this.#open.at(-1);
    if (parent === undefined && !this.#isWanted(name)) return;
    this.#weigh(attributes.reduce((sum, [key, value]) => sum + key.length + value.length + WEIGHT_OF_PART, name.length));
    const node: OpenNode = { name, attributes, children: [], text: '', line: this.#parser.line };
    parent?.children.push(node);
    this.#open.push(node);
  }

  #takeAttributes(): XmlNode['attributes'] {
    if (this.#attributes.length === 0) return NO_ATTRIBUTES;
    const taken = this.#attributes;
    this.#attributes = [];
    return taken;
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
        return assertNever(this.#rows);
    }
  }

  #end(): void {
    this.#held = 0;
    this.#depth -= 1;
    const node = this.#open.pop();
    if (node === undefined || this.#open.length > 0) return;
    this.#done.push(node);
    this.#weight = 0;
  }

  #addText(text: string): void {
    this.#held = 0;
    const node = this.#open.at(-1);
    if (node === undefined) return;
    this.#weigh(text.length);
    node.text += text;
  }

  #weigh(characters: number): void {
    this.#weight += characters + WEIGHT_OF_PART;
    if (this.#weight > MAX_NODE_CHARACTERS) throw this.#tooLarge();
  }

  #tooLarge(): ReadFailure {
    const hint = this.#rows.kind === 'named' ? '' : ': row_tag := "…" reads a large document element by element';
    return this.#failure(`one element is larger than ${MAX_NODE_CHARACTERS / 2 ** 20} MB${hint}`);
  }

  #failure(message: string): ReadFailure {
    return new ReadFailure('unreadable', `line ${this.#parser.line}, column ${this.#parser.column + 1}: ${message}`);
  }
}
