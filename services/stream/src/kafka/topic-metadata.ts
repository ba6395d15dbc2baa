/** A topic as its cluster describes it. */
export interface TopicMetadata {
  readonly clusterId: string;
  readonly topicId: string;
  readonly partitionCount: number;
}

const METADATA = 3;
/** The first version with topic ids that brokers of Kafka 4 support; those since 2.8 do. */
const VERSION = 12;
const ID_BYTES = 16;
const ERRORS: Readonly<Record<number, string>> = {
  3: 'UNKNOWN_TOPIC_OR_PARTITION',
  17: 'UNKNOWN_TOPIC_OR_PARTITION', // a name that no topic can have
  29: 'TOPIC_AUTHORIZATION_FAILED',
};

/** The request for the metadata of one topic, in the form that KafkaJS sends. */
export function metadataOfTopic(topic: string) {
  const name = Buffer.from(topic);
  const bytes = Buffer.concat([
    // KafkaJS writes a header without tagged fields: their number ends it.
    Buffer.from([0]),
    unsigned(2),
    Buffer.alloc(ID_BYTES),
    unsigned(name.byteLength + 1),
    name,
    Buffer.from([0]),
    // No topic creation, no permissions, no tagged fields.
    Buffer.from([0, 0, 0]),
  ]);
  return {
    apiKey: METADATA,
    apiVersion: VERSION,
    apiName: 'Metadata',
    encode: async () => ({ buf: bytes, buffer: bytes, size: () => bytes.byteLength }),
  };
}

/** The answer to `metadataOfTopic`. */
export async function readTopicMetadata(bytes: Buffer): Promise<{ readonly topic: TopicMetadata; readonly errorType: string | null }> {
  const reader = new FlexibleReader(bytes);
  reader.tags();
  reader.int32();
  reader.array(() => {
    reader.int32();
    reader.text();
    reader.int32();
    reader.text();
    reader.tags();
  });
  const clusterId = reader.text() ?? '';
  reader.int32();
  const [found] = reader.array(() => {
    const error = reader.int16();
    reader.text();
    const topicId = reader.bytes(ID_BYTES).toString('hex');
    reader.bytes(1);
    const partitions = reader.array(() => {
      reader.bytes(2 + 4 + 4 + 4);
      for (let list = 0; list < 3; list += 1) reader.array(() => reader.int32());
      reader.tags();
    });
    reader.int32();
    reader.tags();
    return { error, topicId, partitionCount: partitions.length };
  });
  const { error = 3, topicId = '', partitionCount = 0 } = found ?? {};
  return { topic: { clusterId, topicId, partitionCount }, errorType: error === 0 ? null : (ERRORS[error] ?? `error ${error}`) };
}

/** Reads the compact forms of the protocol. */
class FlexibleReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  bytes(length: number): Buffer {
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  int16(): number {
    return this.bytes(2).readInt16BE();
  }

  int32(): number {
    return this.bytes(4).readInt32BE();
  }

  /** A number of as many groups of 7 bits as it needs, the lowest first. */
  unsigned(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes(1).readUInt8();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  text(): string | null {
    const length = this.unsigned();
    return length === 0 ? null : this.bytes(length - 1).toString();
  }

  array<Element>(read: () => Element): readonly Element[] {
    return Array.from({ length: Math.max(0, this.unsigned() - 1) }, read);
  }

  tags(): void {
    for (let left = this.unsigned(); left > 0; left -= 1) {
      this.unsigned();
      this.bytes(this.unsigned());
    }
  }
}

function unsigned(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left >>>= 7) {
    if (left < 0x80) return Buffer.from([...bytes, left]);
    bytes.push((left & 0x7f) | 0x80);
  }
}
