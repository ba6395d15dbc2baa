/** Room for a row of usual length behind a piece that is nearly full. */
const ROW_BYTES = 4096;

/** Writes PostgreSQL's binary COPY format into buffers that are handed over when full. */
export class CopyWriter {
  #buffer: Buffer;
  #at = 0;
  readonly #pieceBytes: number;

  constructor(pieceBytes: number) {
    this.#pieceBytes = pieceBytes;
    this.#buffer = Buffer.allocUnsafe(pieceBytes + ROW_BYTES);
  }

  /** Begins a stream: signature, flags, no extension. */
  header(): void {
    this.#room(19);
    this.#at += this.#buffer.write('PGCOPY\n\xff\r\n\0', this.#at, 'latin1');
    this.#buffer.fill(0, this.#at, this.#at + 8);
    this.#at += 8;
  }

  /** Ends a stream. */
  trailer(): void {
    this.int16(-1);
  }

  int16(value: number): void {
    this.#room(2);
    this.#put16(value);
  }

  int32(value: number): void {
    this.#room(4);
    this.#put32(value);
  }

  /** The length of a field that is NULL. */
  nothing(): void {
    this.int32(-1);
  }

  int16Field(value: number): void {
    this.#room(6);
    this.#put32(2);
    this.#put16(value);
  }

  int32Field(value: number): void {
    this.#room(8);
    this.#put32(4);
    this.#put32(value);
  }

  /** A safe integer, or one of 64 bits. */
  int64Field(value: number | bigint): void {
    this.#room(12);
    this.#put32(8);
    this.#int64(value);
  }

  floatField(value: number): void {
    this.#room(8);
    this.#put32(4);
    this.#at = this.#buffer.writeFloatBE(value, this.#at);
  }

  doubleField(value: number): void {
    this.#room(12);
    this.#put32(8);
    this.#at = this.#buffer.writeDoubleBE(value, this.#at);
  }

  boolField(value: boolean): void {
    this.#room(5);
    this.#put32(1);
    this.#at = this.#buffer.writeUInt8(value ? 1 : 0, this.#at);
  }

  intervalField(micros: number, days: number, months: number): void {
    this.#room(20);
    this.#put32(16);
    this.#int64(micros);
    this.#put32(days);
    this.#put32(months);
  }

  bytesField(value: Uint8Array): void {
    this.#room(4 + value.byteLength);
    this.#at = this.#buffer.writeInt32BE(value.byteLength, this.#at);
    this.#buffer.set(value, this.#at);
    this.#at += value.byteLength;
  }

  /** Bytes of a larger piece. */
  rangeField(source: Buffer, start: number, end: number): void {
    this.int32(end - start);
    this.#room(end - start);
    // For few bytes a call costs more than copying them.
    if (end - start > 64) this.#at += source.copy(this.#buffer, this.#at, start, end);
    else for (let from = start; from < end; from += 1) this.#buffer[this.#at++] = source[from] ?? 0;
  }

  /** Returns the position of the next byte; valid until `take`. */
  position(): number {
    return this.#at;
  }

  /** Discards what was written since. */
  rewind(position: number): void {
    this.#at = position;
  }

  /** Writes well-formed text, preceded by `version` if the type has one (jsonb). */
  textField(value: string, version?: number): void {
    this.#room(5 + value.length * 3);
    const start = this.#at;
    this.#at += 4;
    if (version !== undefined) this.#at = this.#buffer.writeUInt8(version, this.#at);
    this.#at += this.#buffer.write(value, this.#at, 'utf8');
    this.#buffer.writeInt32BE(this.#at - start - 4, start);
  }

  /** Returns the buffer if it is full, else null. */
  take(): Buffer | null {
    return this.#at < this.#pieceBytes ? null : this.takeRest();
  }

  /** Returns the buffer, however little it contains. The caller owns it. */
  takeRest(): Buffer {
    const piece = this.#buffer.subarray(0, this.#at);
    this.#buffer = Buffer.allocUnsafe(this.#pieceBytes + ROW_BYTES);
    this.#at = 0;
    return piece;
  }

  #int64(value: number | bigint): void {
    if (typeof value === 'bigint') {
      this.#at = this.#buffer.writeBigInt64BE(value, this.#at);
      return;
    }
    const high = Math.floor(value / 4_294_967_296);
    this.#put32(high);
    this.#put32(value - high * 4_294_967_296);
  }

  #put16(value: number): void {
    this.#buffer[this.#at] = value >> 8;
    this.#buffer[this.#at + 1] = value;
    this.#at += 2;
  }

  /** Writes the lower 32 bits of a number. */
  #put32(value: number): void {
    this.#buffer[this.#at] = value >> 24;
    this.#buffer[this.#at + 1] = value >> 16;
    this.#buffer[this.#at + 2] = value >> 8;
    this.#buffer[this.#at + 3] = value;
    this.#at += 4;
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#buffer.byteLength) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.byteLength * 2, this.#at + bytes));
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
  }
}
