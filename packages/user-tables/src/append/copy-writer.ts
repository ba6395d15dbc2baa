/** Writes PostgreSQL's binary COPY format into pieces of memory that are handed out when they are full. */
export class CopyWriter {
  #buffer: Buffer;
  #at = 0;
  readonly #pieceBytes: number;

  constructor(pieceBytes: number) {
    this.#pieceBytes = pieceBytes;
    this.#buffer = Buffer.allocUnsafe(pieceBytes * 2);
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
    this.#at = this.#buffer.writeInt16BE(value, this.#at);
  }

  int32(value: number): void {
    this.#room(4);
    this.#at = this.#buffer.writeInt32BE(value, this.#at);
  }

  /** The length of a field that is NULL. */
  nothing(): void {
    this.int32(-1);
  }

  int16Field(value: number): void {
    this.#room(6);
    this.#at = this.#buffer.writeInt32BE(2, this.#at);
    this.#at = this.#buffer.writeInt16BE(value, this.#at);
  }

  int32Field(value: number): void {
    this.#room(8);
    this.#at = this.#buffer.writeInt32BE(4, this.#at);
    this.#at = this.#buffer.writeInt32BE(value, this.#at);
  }

  /** A safe integer, or one of 64 bits. */
  int64Field(value: number | bigint): void {
    this.#room(12);
    this.#at = this.#buffer.writeInt32BE(8, this.#at);
    this.#int64(value);
  }

  floatField(value: number): void {
    this.#room(8);
    this.#at = this.#buffer.writeInt32BE(4, this.#at);
    this.#at = this.#buffer.writeFloatBE(value, this.#at);
  }

  doubleField(value: number): void {
    this.#room(12);
    this.#at = this.#buffer.writeInt32BE(8, this.#at);
    this.#at = this.#buffer.writeDoubleBE(value, this.#at);
  }

  boolField(value: boolean): void {
    this.#room(5);
    this.#at = this.#buffer.writeInt32BE(1, this.#at);
    this.#at = this.#buffer.writeUInt8(value ? 1 : 0, this.#at);
  }

  intervalField(micros: number, days: number, months: number): void {
    this.#room(20);
    this.#at = this.#buffer.writeInt32BE(16, this.#at);
    this.#int64(micros);
    this.#at = this.#buffer.writeInt32BE(days, this.#at);
    this.#at = this.#buffer.writeInt32BE(months, this.#at);
  }

  bytesField(value: Uint8Array): void {
    this.#room(4 + value.byteLength);
    this.#at = this.#buffer.writeInt32BE(value.byteLength, this.#at);
    this.#buffer.set(value, this.#at);
    this.#at += value.byteLength;
  }

  /** Well-formed text; `version` stands before it where a type wants one (jsonb). */
  textField(value: string, version?: number): void {
    this.#room(5 + value.length * 3);
    const start = this.#at;
    this.#at += 4;
    if (version !== undefined) this.#at = this.#buffer.writeUInt8(version, this.#at);
    this.#at += this.#buffer.write(value, this.#at, 'utf8');
    this.#buffer.writeInt32BE(this.#at - start - 4, start);
  }

  /** What has been written, once it is a piece; `isLast` takes whatever there is. */
  take({ isLast }: { readonly isLast: boolean }): Buffer | null {
    if (this.#at === 0 || (this.#at < this.#pieceBytes && !isLast)) return null;
    const piece = this.#buffer.subarray(0, this.#at);
    // The piece belongs to who took it from now on.
    this.#buffer = Buffer.allocUnsafe(this.#pieceBytes * 2);
    this.#at = 0;
    return piece;
  }

  #int64(value: number | bigint): void {
    if (typeof value === 'bigint') {
      this.#at = this.#buffer.writeBigInt64BE(value, this.#at);
      return;
    }
    const high = Math.floor(value / 4_294_967_296);
    this.#at = this.#buffer.writeInt32BE(high, this.#at);
    this.#at = this.#buffer.writeUInt32BE(value - high * 4_294_967_296, this.#at);
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#buffer.byteLength) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.byteLength * 2, this.#at + bytes));
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
  }
}
