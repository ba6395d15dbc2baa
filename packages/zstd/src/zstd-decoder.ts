import type { TransformCallback } from 'node:stream';
import { createZstdDecompress, type ZstdDecompress, type ZstdOptions } from 'node:zlib';

import { FrameSplitter } from './frame-splitter.ts';

/**
 * Creates a decoder of zstd that decodes all frames (RFC 8878). Node's decoder ends without an error where a frame ends within a chunk, and
 * drops the rest; if chunks end where frames do, it goes on.
 */
export function createZstdDecoder(options: ZstdOptions = {}): ZstdDecompress {
  const decoder = createZstdDecompress(options);
  const decode = decoder._transform.bind(decoder);
  const frames = new FrameSplitter();
  decoder._transform = (chunk: Buffer, encoding, done) => {
    const parts = frames.split(chunk).values();
    const decodeNext: TransformCallback = (error) => {
      const { value: part } = error ? { value: undefined } : parts.next();
      if (part === undefined) done(error);
      else decode(part, encoding, decodeNext);
    };
    decodeNext();
  };
  return decoder;
}
