import { readMessages, type MessageRoom, type ReadMessage } from './read-messages.ts';

const LAST_OFFSET_AT = 23;
const COUNT_AT = 57;

/** A batch of uncompressed messages that have the value `x`. */
function batchOf({ first, offsets, last }: { readonly first: number; readonly offsets: readonly number[]; readonly last: number }): Buffer {
  const records = offsets.map((offset) => {
    const body = Buffer.concat([Buffer.from([0]), signed(0), signed(offset - first), signed(-1), signed(1), Buffer.from('x'), signed(0)]);
    return Buffer.concat([signed(body.byteLength), body]);
  });
  const header = Buffer.alloc(61);
  header.writeBigInt64BE(BigInt(first));
  header.writeInt32BE(header.byteLength - 12 + records.reduce((sum, { byteLength }) => sum + byteLength, 0), 8);
  header.writeInt8(2, 16);
  header.writeInt32BE(last - first, LAST_OFFSET_AT);
  header.writeInt32BE(records.length, COUNT_AT);
  return Buffer.concat([header, ...records]);
}

/** A number in groups of 7 bits, the lowest first. */
function signed(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value < 0 ? -2 * value - 1 : 2 * value; ; left >>>= 7) {
    if (left < 0x80) return Buffer.from([...bytes, left]);
    bytes.push((left & 0x7f) | 0x80);
  }
}

function read(records: Buffer, from: number, room: Partial<MessageRoom> = {}): Promise<readonly ReadMessage[]> {
  return readMessages(records, {
    ...{ from, aborted: [], room: { messages: 1_000_000, bytes: 1_000_000_000, ...room } },
    decompress: async (_, bytes) => bytes,
  });
}

const messagesOf = (all: readonly ReadMessage[]): readonly number[] =>
  all.flatMap(({ offset, isControlRecord }) => (isControlRecord ? [] : [Number(offset)]));

test('a batch of more messages than there is room for is read in parts', async () => {
  const count = 300_000;
  const batch = batchOf({ first: 10, offsets: Array.from({ length: count }, (_, i) => 10 + i), last: 9 + count });
  expect(await read(batch, 10)).toHaveLength(count);
  const part = messagesOf(await read(batch, 20, { messages: 100_000 }));
  expect([part.length, part.at(0), part.at(-1)]).toEqual([100_000, 20, 100_019]);
});

test('batches for which there is no room are left for the next time, and so is one that is cut off', async () => {
  const batches = [0, 2, 4].map((first) => batchOf({ first, offsets: [first, first + 1], last: first + 1 }));
  expect(messagesOf(await read(Buffer.concat(batches), 1))).toEqual([1, 2, 3, 4, 5]);
  expect(messagesOf(await read(Buffer.concat(batches), 0, { messages: 3 }))).toEqual([0, 1, 2]);
  expect(messagesOf(await read(Buffer.concat(batches), 0, { bytes: 1 }))).toEqual([0, 1]);
  expect(messagesOf(await read(Buffer.concat(batches).subarray(0, -1), 0))).toEqual([0, 1, 2, 3]);
});

test.each([
  { what: 'the last messages', offsets: [5, 6], from: 5, left: [5, 6] },
  { what: 'all messages', offsets: [], from: 5, left: [] },
  { what: 'all messages from the requested offset on', offsets: [5, 6], from: 7, left: [] },
])('a batch of which compaction has removed $what is read to its end', async ({ offsets, from, left }) => {
  const read9 = await read(batchOf({ first: 5, offsets, last: 9 }), from);
  expect(messagesOf(read9)).toEqual(left);
  expect(read9.at(-1)?.offset).toBe('9');
});
