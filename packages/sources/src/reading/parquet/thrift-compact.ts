/** A value of Thrift's compact protocol and its byte range. */
export interface ThriftValue {
  readonly start: number;
  readonly end: number;
  readonly content: ThriftContent;
}

type ThriftContent =
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'binary'; readonly bytes: Buffer }
  | { readonly kind: 'list'; readonly items: readonly ThriftValue[] }
  | { readonly kind: 'struct'; readonly fields: ReadonlyMap<number, ThriftValue> }
  | { readonly kind: 'other' };

const TYPES = {
  true: 1,
  false: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  map: 11,
  struct: 12,
  uuid: 13,
} as const;
const MOST_DEPTH = 32;

/** Reads the struct at the beginning of the bytes. Throws a RangeError if they are invalid. */
export function readThriftStruct(bytes: Buffer): ThriftValue {
  return new Reader(bytes).value(TYPES.struct, MOST_DEPTH);
}

/** Returns a field of a struct. Undefined if absent. */
export function fieldOf(value: ThriftValue | undefined, id: number): ThriftValue | undefined {
  return value?.content.kind === 'struct' ? value.content.fields.get(id) : undefined;
}

/** Returns the elements of a list. Empty for any other value. */
export function itemsOf(value: ThriftValue | undefined): readonly ThriftValue[] {
  return value?.content.kind === 'list' ? value.content.items : [];
}

/** Returns an integer as a count. Null for any other value. */
export function integerOf(value: ThriftValue | undefined): number | null {
  return value?.content.kind === 'integer' ? Number(value.content.value) : null;
}

/** Returns the bytes of a binary. Null for any other value. */
export function bytesOf(value: ThriftValue | undefined): Buffer | null {
  return value?.content.kind === 'binary' ? value.content.bytes : null;
}

/** The bytes of an integer. */
export function encodeInteger(value: number): Buffer {
  return varint(BigInt.asUintN(64, BigInt(value) << 1n));
}

/** The bytes of a list of structs, which are given as they stand. */
export function encodeStructs(structs: readonly Buffer[]): Buffer {
  const isShort = structs.length < 15;
  const head = Buffer.of(((isShort ? structs.length : 15) << 4) | TYPES.struct);
  return Buffer.concat([head, ...(isShort ? [] : [varint(BigInt(structs.length))]), ...structs]);
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    const low = Number(rest & 0x7fn);
    if (rest < 0x80n) return Buffer.from([...bytes, low]);
    bytes.push(low | 0x80);
  }
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  value(type: number, depth: number): ThriftValue {
    if (depth === 0) throw new RangeError('the struct is nested too deep');
    const start = this.#at;
    const content = this.#content(type, depth);
    return { start, end: this.#at, content };
  }

  #content(type: number, depth: number): ThriftContent {
    switch (type) {
      case TYPES.true:
      case TYPES.false:
        return { kind: 'boolean', value: type === TYPES.true };
      case TYPES.byte:
        return { kind: 'integer', value: BigInt(this.#take(1).readInt8()) };
      case TYPES.i16:
      case TYPES.i32:
      case TYPES.i64:
        return { kind: 'integer', value: this.#zigzag() };
      case TYPES.binary:
        return { kind: 'binary', bytes: this.#take(this.#count()) };
      case TYPES.list:
      case TYPES.set:
        return this.#list(depth);
      case TYPES.struct:
        return this.#struct(depth);
      case TYPES.double:
      case TYPES.uuid:
        this.#take(type === TYPES.double ? 8 : 16);
        return { kind: 'other' };
      default:
        throw new RangeError(`the struct holds a value of type ${type}`); // maps too: none of the structs that are read has one
    }
  }

  #list(depth: number): ThriftContent {
    const head = this.#take(1).readUInt8();
    const count = head >> 4 === 15 ? this.#count() : head >> 4;
    const type = head & 0x0f;
    const items: ThriftValue[] = [];
    for (let i = 0; i < count; i += 1) items.push(this.#item(type, depth - 1));
    return { kind: 'list', items };
  }

  /** A boolean takes one byte in a list and no byte in a struct. */
  #item(type: number, depth: number): ThriftValue {
    const isBoolean = type === TYPES.true || type === TYPES.false;
    return isBoolean ? this.value(TYPES.byte, depth) : this.value(type, depth);
  }

  #struct(depth: number): ThriftContent {
    const fields = new Map<number, ThriftValue>();
    for (let id = 0; ;) {
      const head = this.#take(1).readUInt8();
      if (head === 0) return { kind: 'struct', fields };
      id = head >> 4 === 0 ? Number(this.#zigzag()) : id + (head >> 4);
      fields.set(id, this.value(head & 0x0f, depth - 1));
    }
  }

  #take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError('the struct ends early');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  /** Each of them takes at least one byte. */
  #count(): number {
    const count = Number(this.#varint());
    if (count > this.#bytes.length - this.#at) throw new RangeError('the struct ends early');
    return count;
  }

  #zigzag(): bigint {
    const raw = this.#varint();
    return (raw >> 1n) ^ -(raw & 1n);
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#take(1).readUInt8();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError('the struct holds an integer that is too long');
  }
}
