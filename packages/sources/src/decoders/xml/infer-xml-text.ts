import type { TextAnswer } from '@svc/query-language';
import { isReadFailure } from '@svc/text-formats';

import { xmlNodesOfText } from './xml-nodes.ts';
import { XmlShape } from './xml-shape.ts';

/** Infers the type of the root's content in an XML text, or returns the reason why the text is not valid XML. */
export function inferXmlText(text: string): TextAnswer {
  try {
    const shape = new XmlShape();
    for (const node of xmlNodesOfText(text.replace(/^\uFEFF/, ''), { kind: 'root' })) shape.add(node);
    return { type: shape.type({ isSampled: false }) };
  } catch (thrown) {
    if (!isReadFailure(thrown)) throw thrown;
    return { problem: thrown.message };
  }
}
