/** Splits the chunks of a stream of zstd frames where a frame ends. */
export class FrameSplitter {
  readonly #steps = walkFrames();
  #step = this.#steps.next(Buffer.alloc(0)).value;
  /** Bytes that the current step still needs. */
  #left = this.#step.bytes;
  /** Bytes of the current step, if it reads them. */
  #read: Buffer[] = [];

  /** Returns a chunk in parts, none of which goes beyond the end of a frame. Bytes that are no frame stay in one part. */
  split(chunk: Buffer): readonly Buffer[] {
    const parts: Buffer[] = [];
    let start = 0;
    for (let at = 0; at < chunk.byteLength;) {
      const taken = chunk.subarray(at, at + this.#left);
      at += taken.byteLength;
      this.#left -= taken.byteLength;
      if (this.#step.kind === 'read') this.#read.push(taken);
      while (this.#left === 0) {
        if (this.#step.kind === 'end') {
          parts.push(chunk.subarray(start, at));
          start = at;
        }
        this.#step = this.#steps.next(Buffer.concat(this.#read)).value;
        this.#left = this.#step.bytes;
        this.#read = [];
      }
    }
    // An empty chunk flushes the decoder.
    return start < chunk.byteLength || chunk.byteLength === 0 ? [...parts, chunk.subarray(start)] : parts;
  }
}

/** Bytes to read or to skip, or the end of a frame. */
interface Step {
  readonly kind: 'read' | 'skip' | 'end';
  readonly bytes: number;
}

const MAGIC = 0xfd2fb528;
/** The last four bits of the magic number of a skippable frame are arbitrary. */
const SKIPPABLE = 0x184d2a5;
const RUN_LENGTH_BLOCK = 1;
const CHECKSUM_BYTES = 4;

/** Walks through frames as RFC 8878 describes them. Receives the bytes of each step that reads. */
function* walkFrames(): Generator<Step, never, Buffer> {
  for (;;) {
    const magic = (yield read(4)).readUInt32LE();
    if (magic >>> 4 === SKIPPABLE) yield skip((yield read(4)).readUInt32LE());
    // The decoder refuses it.
    else if (magic !== MAGIC) yield skip(Infinity);
    else {
      const descriptor = (yield read(1)).readUInt8();
      yield skip(headerBytes(descriptor));
      for (let isLast = false; !isLast;) {
        const block = (yield read(3)).readUIntLE(0, 3);
        isLast = (block & 1) === 1;
        yield skip(((block >>> 1) & 3) === RUN_LENGTH_BLOCK ? 1 : block >>> 3);
      }
      if ((descriptor & 4) !== 0) yield skip(CHECKSUM_BYTES);
    }
    yield { kind: 'end', bytes: 0 };
  }
}

/** Returns the length of a frame's header after its descriptor: window, id of a dictionary, and length of the content. */
function headerBytes(descriptor: number): number {
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const content = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >>> 6] ?? 0;
  return (isSingleSegment ? 0 : 1) + dictionary + content;
}

function read(bytes: number): Step {
  return { kind: 'read', bytes };
}

function skip(bytes: number): Step {
  return { kind: 'skip', bytes };
}
