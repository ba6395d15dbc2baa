export { createZstdDecoder } from './zstd-decoder.ts';
