import { types } from 'node:util';

/**
 * Releases the memory of bytes at once, if no others share it; they are empty afterwards. For owners of many large buffers:
 * left to the garbage collector, each 64 MB of such memory make it traverse all objects of the process.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  // Not by instanceof: it may be of another realm, as in the test runner.
  if (byteLength > 0 && types.isArrayBuffer(buffer) && buffer.byteLength === byteLength) ArrayBuffer.prototype.transfer.call(buffer, 0);
}
