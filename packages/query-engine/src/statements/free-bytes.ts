import { types } from 'node:util';

/**
 * Gives the memory of bytes back at once, where no others share it; they are empty afterwards. For who owns what is many and
 * large: left to the collector, each 64 MB of such memory make it go through all objects of the process.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  // Not by instanceof: it may be of another realm, as the test runner makes them.
  if (byteLength > 0 && types.isArrayBuffer(buffer) && buffer.byteLength === byteLength) ArrayBuffer.prototype.transfer.call(buffer, 0);
}
