import { freeBytes } from './free-bytes.ts';

describe('freeBytes', () => {
  it('empties bytes that have their memory for themselves', () => {
    const bytes = Buffer.allocUnsafeSlow(100_000);
    freeBytes(bytes);
    expect([bytes.byteLength, bytes.buffer.byteLength]).toEqual([0, 0]);
  });

  it('leaves bytes alone that share their memory', () => {
    const whole = Buffer.from(new ArrayBuffer(8)).fill('x');
    const part = whole.subarray(0, 4);
    freeBytes(part);
    expect([part.toString(), whole.toString()]).toEqual(['xxxx', 'xxxxxxxx']);
  });

  it('can be called again', () => {
    const bytes = new Uint8Array(10);
    freeBytes(bytes);
    expect(() => freeBytes(bytes)).not.toThrow();
  });
});
