import { KafkaProblem } from './kafka-problem.ts';

/** Decompresses the records of a batch by the attributes of the batch. */
export type Decompress = (attributes: number, bytes: Buffer) => Promise<Buffer>;

/** A transaction whose messages are not to be read. */
export interface AbortedTransaction {
  readonly producerId: bigint;
  readonly firstOffset: number;
}

/** Room for the messages of an answer. */
export interface MessageRoom {
  messages: number;
  bytes: number;
}

/** The batches of a partition in an answer, and how to read them. */
export interface MessageSource {
  /** The requested offset: the first batch may begin before it. */
  readonly from: number;
  readonly aborted: readonly AbortedTransaction[];
  readonly room: MessageRoom;
  readonly decompress: Decompress;
}

/** A message as KafkaJS uses it. One that `isControlRecord` is not passed on: it stands for an offset. */
export interface ReadMessage {
  readonly offset: string;
  readonly timestamp: string;
  readonly timestampType: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly isControlRecord: boolean;
}

/** Positions in the header of a batch, and its size. */
const LENGTH_AT = 8;
const LENGTH_END = 12;
const FORMAT_AT = 16;
const ATTRIBUTES_AT = 21;
const LAST_OFFSET_AT = 23;
const FIRST_TIMESTAMP_AT = 27;
const LAST_TIMESTAMP_AT = 35;
const PRODUCER_AT = 43;
const COUNT_AT = 57;
const HEADER_BYTES = 61;

/** The format of messages since Kafka 0.11. */
const FORMAT = 2;

/** Bits of the attributes. */
const CODEC = 0x07;
const APPEND_TIME = 0x08;
const TRANSACTIONAL = 0x10;
const CONTROL = 0x20;

/** Position of the type of a control record in its key, and the type that ends an aborted transaction. */
const CONTROL_TYPE_AT = 2;
const ABORT = 0;

/**
 * Reads the messages of committed transactions, and of none, from the record batches of a partition, as far as there is room;
 * the rest is requested again. The last offset of a batch is in the result even if compaction has removed its message.
 */
export async function readMessages(records: Buffer, { from, aborted, room, decompress }: MessageSource): Promise<readonly ReadMessage[]> {
  const messages: ReadMessage[] = [];
  const waiting = aborted.toSorted((a, b) => a.firstOffset - b.firstOffset);
  const ongoing = new Set<bigint>();
  for (let at = 0; at + HEADER_BYTES <= records.byteLength && room.messages > 0 && room.bytes > 0;) {
    const end = at + LENGTH_END + records.readInt32BE(at + LENGTH_AT);
    if (end > records.byteLength) break; // it was cut off by the size of the answer
    const batch = records.subarray(at, end);
    at = end;
    if (batch.readInt8(FORMAT_AT) !== FORMAT)
      throw new KafkaProblem('refused', 'The topic has messages in the format of Kafka before 0.11, which cannot be read.');
    const attributes = batch.readInt16BE(ATTRIBUTES_AT);
    const producerId = batch.readBigInt64BE(PRODUCER_AT);
    const last = Number(batch.readBigInt64BE(0)) + batch.readInt32BE(LAST_OFFSET_AT);
    for (let [next] = waiting; next !== undefined && next.firstOffset <= last; [next] = waiting) {
      ongoing.add(next.producerId);
      waiting.shift();
    }
    const isControl = (attributes & CONTROL) !== 0;
    if (isControl && isAbort(batch)) ongoing.delete(producerId);
    const isAborted = (attributes & TRANSACTIONAL) !== 0 && ongoing.has(producerId);
    const read = isControl || isAborted ? null : await readBatch(batch, { attributes, from, room, decompress });
    for (const message of read?.messages ?? []) messages.push(message);
    if (read?.isWhole !== false && last >= from && Number(messages.at(-1)?.offset ?? -1) < last) messages.push(offsetAlone(last));
  }
  return messages;
}

function isAbort(batch: Buffer): boolean {
  const [record] = new RecordReader(batch.subarray(HEADER_BYTES)).next();
  return record.key?.readInt16BE(CONTROL_TYPE_AT) === ABORT;
}

/** Stands for an offset without a message. */
function offsetAlone(offset: number): ReadMessage {
  return { offset: String(offset), timestamp: '0', timestampType: 0, key: null, value: null, isControlRecord: true };
}

async function readBatch(
  batch: Buffer,
  { attributes, from, room, decompress }: Omit<MessageSource, 'aborted'> & { readonly attributes: number },
): Promise<{ readonly messages: readonly ReadMessage[]; readonly isWhole: boolean }> {
  const firstOffset = Number(batch.readBigInt64BE(0));
  const count = batch.readInt32BE(COUNT_AT);
  const isAppendTime = (attributes & APPEND_TIME) !== 0;
  const timestamp = Number(batch.readBigInt64BE(isAppendTime ? LAST_TIMESTAMP_AT : FIRST_TIMESTAMP_AT));
  const packed = batch.subarray(HEADER_BYTES);
  const bytes = count === 0 || (attributes & CODEC) === 0 ? packed : await decompress(attributes, packed);
  room.bytes -= bytes.byteLength;
  const messages: ReadMessage[] = [];
  const reader = new RecordReader(bytes);
  for (let i = 0; i < count; i += 1) {
    if (room.messages <= 0) return { messages, isWhole: false };
    const [{ key, value }, deltas] = reader.next();
    const offset = firstOffset + deltas.offset;
    if (offset < from) continue;
    room.messages -= 1;
    messages.push({
      offset: String(offset),
      timestamp: String(isAppendTime ? timestamp : timestamp + deltas.timestamp),
      timestampType: isAppendTime ? 1 : 0,
      ...{ key, value, isControlRecord: false },
    });
  }
  return { messages, isWhole: true };
}

/** Reads records one after the other, without their headers. */
class RecordReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  next(): readonly [
    { readonly key: Buffer | null; readonly value: Buffer | null },
    { readonly timestamp: number; readonly offset: number },
  ] {
    const length = this.#signed();
    const end = this.#at + length;
    this.#at += 1; // attributes, which are not used
    const deltas = { timestamp: this.#signed(), offset: this.#signed() };
    const record = { key: this.#sized(), value: this.#sized() };
    this.#at = end;
    return [record, deltas];
  }

  #sized(): Buffer | null {
    const length = this.#signed();
    if (length < 0) return null;
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  /** A number of as many groups of 7 bits as it needs, the lowest first; odd ones are negative. */
  #signed(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#bytes.readUInt8(this.#at);
      this.#at += 1;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    }
  }
}
