import { xmlNodesOfText } from './xml-nodes.ts';
import { XmlShape } from './xml-shape.ts';

const shapeOf = (text: string): XmlShape => {
  const shape = new XmlShape();
  for (const node of xmlNodesOfText(text, { kind: 'root' })) shape.add(node);
  return shape;
};
const texts = (count: number): string => Array.from({ length: count }, (_, i) => `<n${i}>x</n${i}>`).join('');
const children = (count: number): string => Array.from({ length: count }, (_, i) => `<n${i}/>`).join('');

test.each([
  ['as many names as a record may have', `<r>${children(5000)}</r>`, 'RecordType'],
  ['one name more', `<r>${children(5001)}</r>`, 'AnyType'],
  ['one name more, with an attribute', `<r a="1">${children(5000)}</r>`, 'AnyType'],
  ['a million names', `<r>${children(1_000_000)}</r>`, 'AnyType'],
])('%s', (_, text, kind) => {
  expect(shapeOf(text).type({ isSampled: false }).kind).toBe(kind);
});

const record = (names: readonly string[]): object => ({
  kind: 'RecordType',
  fields: names.map((name) => ({ name })),
});
const any = { kind: 'AnyType', isNullable: true };

test.each([
  ['an element of as many', `<r><a>${texts(1000)}</a></r>`, record([...Array(1000).keys()].map((i) => `n${i}`))],
  ['an element of one more', `<r><a>${children(1001)}</a><b/></r>`, any],
  ['one more in many elements', `<r>${Array.from({ length: 1001 }, (_, i) => `<a><n${i}/></a>`).join('')}<b/></r>`, any],
  ['one more with those of elements within it', `<r><a>${'<b><c/><d/></b>'}${children(998)}</a><b/></r>`, any],
])('names within an element of the row: %s', (_, text, type) => {
  const shape = shapeOf(text).type({ isSampled: false });
  const [a] = shape.kind === 'RecordType' ? shape.fields : [];
  expect(a?.type.kind === 'CollectionType' ? a.type.element : a?.type).toMatchObject(type);
});

test('a document of elements that have too many fields together is no record', () => {
  const elements = Array.from({ length: 2000 }, (_, i) => `<e${i} id="1">text</e${i}>`).join('');
  expect(shapeOf(`<r>${elements}</r>`).type({ isSampled: false })).toMatchObject(any);
});

test('what is no record for its many names stays none', () => {
  const shape = shapeOf(`<r>${children(5001)}</r>`);
  for (const node of xmlNodesOfText('<r><a/></r>', { kind: 'root' })) shape.add(node);
  expect(shape.type({ isSampled: true })).toMatchObject({ kind: 'AnyType', isNullable: true });
});
