/** A text that is stored as it is: not empty, and made of Unicode characters. */
export const TEXT = {
  type: 'string',
  minLength: 1,
  pattern: '^[^\\u0000\\ud800-\\udfff]*$',
  description: 'a text of Unicode characters without U+0000',
} as const;

/** As TEXT; null is the same as absent, and stands for it in answers. */
export const OPTIONAL_TEXT = { ...TEXT, type: ['string', 'null'] } as const;

/** Where tokens are obtained. */
export const TOKEN_URL = {
  type: 'string',
  maxLength: 2048,
  pattern: '^https?://(\\[[0-9A-Fa-f:.]+\\]|[^\\s\\\\/?#@\\[\\]:%<>^|]+)(:[0-9]{1,5})?([/?][^\\s\\\\#]*)?$',
  description: 'an http or https URL without user info and fragment',
} as const;

/** As TOKEN_URL; null is the same as absent, and stands for it in answers. */
export const OPTIONAL_TOKEN_URL = { ...TOKEN_URL, type: ['string', 'null'] } as const;
