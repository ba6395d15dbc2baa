/** A text that is stored unchanged: not empty, valid Unicode. */
export const TEXT = {
  type: 'string',
  minLength: 1,
  pattern: '^[^\\u0000\\ud800-\\udfff]*$',
  description: 'a text of Unicode characters without U+0000',
} as const;

/** Like TEXT; null is equivalent to absent, and is returned for it. */
export const OPTIONAL_TEXT = { ...TEXT, type: ['string', 'null'] } as const;

/** A text that is sent in a header, which holds no line break: keys and tokens out of a file often end in one. */
export const HEADER_TEXT = {
  type: 'string',
  minLength: 1,
  pattern: '^[\\u0020-\\u007e]*$',
  description: 'a text of ASCII characters without line breaks',
} as const;

/** URL of a token endpoint. */
export const TOKEN_URL = {
  type: 'string',
  maxLength: 2048,
  pattern: '^https?://(\\[[0-9A-Fa-f:.]+\\]|[^\\s\\\\/?#@\\[\\]:%<>^|]+)(:[0-9]{1,5})?([/?][^\\s\\\\#]*)?$',
  description: 'an http or https URL without user info and fragment',
} as const;

/** Like TOKEN_URL; null is equivalent to absent, and is returned for it. */
export const OPTIONAL_TOKEN_URL = { ...TOKEN_URL, type: ['string', 'null'] } as const;
