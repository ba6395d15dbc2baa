/** A complete XML element with its attributes and children in document order. */
export interface XmlNode {
  readonly name: string;
  /** Namespace declarations are excluded. */
  readonly attributes: readonly (readonly [string, string])[];
  readonly children: readonly XmlNode[];
  /** All text directly within the element, concatenated. */
  readonly text: string;
  /** Line of its start, from 1. */
  readonly line: number;
}

/** Returns the text of an element without children or attributes. White space alone is null. */
export function leafText(node: XmlNode): string | null {
  return node.text.trim() === '' ? null : node.text;
}

/** Returns the trimmed text of an element that also has attributes or children. */
export function besideText(node: XmlNode): string | null {
  const text = node.text.trim();
  return text === '' ? null : text;
}

/** Returns whether an element is empty, which is NULL. */
export function isEmptyNode(node: XmlNode): boolean {
  return node.attributes.length === 0 && node.children.length === 0 && leafText(node) === null;
}
