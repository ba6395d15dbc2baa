import { defineFamily } from './define-function.ts';

/** Functions on bytes. */
export const BINARY_FUNCTIONS = defineFamily('binary', [
  {
    name: 'BASE64',
    summary: 'The bytes in base64.',
    signatures: ['(bytes: binary) -> string'],
    examples: [['BASE64(FROM_HEX("616263"))', '"YWJj"']],
  },
  {
    name: 'FROM_BASE64',
    summary: 'The bytes of a base64 text.',
    signatures: ['(text: string) -> binary'],
    examples: [['HEX(FROM_BASE64("YWJj"))', '"616263"']],
  },
  {
    name: 'HEX',
    summary: 'The bytes in hexadecimal, small letters.',
    signatures: ['(bytes: binary) -> string'],
    examples: [['HEX(FROM_BASE64("/w=="))', '"ff"']],
  },
  {
    name: 'FROM_HEX',
    summary: 'The bytes of a hexadecimal text.',
    signatures: ['(text: string) -> binary'],
    examples: [['FROM_HEX("616263")', '"YWJj"']],
  },
  {
    name: 'SHA256',
    summary: 'The SHA-256 digest of the bytes.',
    signatures: ['(bytes: binary) -> binary'],
    examples: [['HEX(SHA256(FROM_HEX("")))', '"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"']],
  },
  {
    name: 'MD5',
    summary: 'The MD5 digest of the bytes.',
    signatures: ['(bytes: binary) -> binary'],
    examples: [['HEX(MD5(FROM_HEX("")))', '"d41d8cd98f00b204e9800998ecf8427e"']],
  },
]);
