import { CHARSET } from './constant-argument.ts';
import { defineFamily } from './define-function.ts';

/** Functions on bytes. */
export const BINARY_FUNCTIONS = defineFamily('binary', [
  {
    name: 'ENCODE',
    constantArgument: CHARSET,
    summary: 'The bytes of a text in a constant charset: "utf-8", "iso-8859-1" or "us-ascii". What the charset lacks is an error.',
    signatures: ['(text: string, charset: string := "utf-8") -> binary'],
    examples: [
      ['HEX(ENCODE("é", "utf-8"))', '"c3a9"'],
      ['HEX(ENCODE("é", "iso-8859-1"))', '"e9"'],
    ],
  },
  {
    name: 'DECODE',
    constantArgument: CHARSET,
    summary: 'The text of bytes in a constant charset. Bytes that are no text in it are an error.',
    signatures: ['(bytes: binary, charset: string := "utf-8") -> string'],
    examples: [
      ['DECODE(FROM_HEX("c3a9"))', '"é"'],
      ['DECODE(FROM_HEX("e9"), "iso-8859-1")', '"é"'],
    ],
  },
  {
    name: 'BASE64',
    canFail: false,
    growth: 1.34,
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
    canFail: false,
    growth: 2,
    summary: 'The bytes in hexadecimal, small letters.',
    signatures: ['(bytes: binary) -> string'],
    examples: [['HEX(FROM_BASE64("/w=="))', '"ff"']],
  },
  {
    name: 'FROM_HEX',
    aliases: ['UNHEX'],
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
