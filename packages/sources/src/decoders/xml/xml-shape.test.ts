import { xmlNodesOfText } from './xml-nodes.ts';
import { XmlShape } from './xml-shape.ts';

const shapeOf = (text: string): XmlShape => {
  const shape = new XmlShape();
  for (const node of xmlNodesOfText(text, { kind: 'root' })) shape.add(node);
  return shape;
};
const children = (count: number): string => Array.from({ length: count }, (_, i) => `<n${i}/>`).join('');

test.each([
  ['as many names as a record may have', `<r>${children(5000)}</r>`, 'RecordType'],
  ['one name more', `<r>${children(5001)}</r>`, 'AnyType'],
  ['one name more, with an attribute', `<r a="1">${children(5000)}</r>`, 'AnyType'],
  ['a million names', `<r>${children(1_000_000)}</r>`, 'AnyType'],
])('%s', (_, text, kind) => {
  expect(shapeOf(text).type({ isSampled: false }).kind).toBe(kind);
});

test('what is no record for its many names stays none', () => {
  const shape = shapeOf(`<r>${children(5001)}</r>`);
  for (const node of xmlNodesOfText('<r><a/></r>', { kind: 'root' })) shape.add(node);
  expect(shape.type({ isSampled: true })).toMatchObject({ kind: 'AnyType', isNullable: true });
});
