/** An element of XML, whole: attributes and children in the order in which they were written. */
export interface XmlNode {
  readonly name: string;
  /** Namespace declarations are left out. */
  readonly attributes: readonly (readonly [string, string])[];
  readonly children: readonly XmlNode[];
  /** All text directly within the element, concatenated. */
  readonly text: string;
  /** Line of its start, from 1. */
  readonly line: number;
}

/** The text of an element without children or attributes; white space alone is nothing. */
export function leafText(node: XmlNode): string | null {
  return node.text.trim() === '' ? null : node.text;
}

/** The text beside attributes or children, without the white space around it. */
export function besideText(node: XmlNode): string | null {
  const text = node.text.trim();
  return text === '' ? null : text;
}

/** Returns whether an element is empty, which is NULL. */
export function isEmptyNode(node: XmlNode): boolean {
  return node.attributes.length === 0 && node.children.length === 0 && leafText(node) === null;
}
