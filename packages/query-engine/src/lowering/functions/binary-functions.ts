import { ownValue } from '@svc/query-language';

import { SQL } from '../../sql/sql.ts';
import type { FunctionLowering } from '../lowering-types.ts';
import { transformList } from '../scalars/let-expression.ts';
import { byType, direct, guarded, ofConstants, quotedStart, tryOr, typed, typeName } from './function-parts.ts';

/** Supported charsets, by any spelling: those of the engine, and those whose bytes are code points. */
const CHARSETS: Readonly<Record<string, { readonly limit: number | null }>> = {
  'utf-8': { limit: null },
  utf8: { limit: null },
  'iso-8859-1': { limit: 255 },
  latin1: { limit: 255 },
  'latin-1': { limit: 255 },
  'us-ascii': { limit: 127 },
  ascii: { limit: 127 },
};

function withCharset(body: (limit: number | null) => FunctionLowering): FunctionLowering {
  return ofConstants((args, call) => {
    const [value, charset] = args;
    if (value === undefined) throw new Error(`${call.functionName} needs an argument.`);
    if (charset === undefined) return body(null)([value], call);
    const found = typeof charset.constant === 'string' ? ownValue(CHARSETS, charset.constant.toLowerCase()) : undefined;
    if (found === undefined) throw new Error('The checker has seen that the charset is one that there is.');
    return body(found.limit)([value], call);
  });
}

const encode = withCharset((limit) =>
  limit === null
    ? direct((text) => SQL`encode(${text})`)
    : guarded((call, text) => {
        const codes = transformList(SQL`string_split(${text}, '')`, (c) => SQL`ascii(${c})`);
        const bytes = SQL`unhex(array_to_string(${transformList(codes, (code) => SQL`format('{:02X}', ${code})`)}, ''))`;
        const fail = call.raiseText(SQL`concat(${quotedStart(text)}, ' has characters that the charset lacks')`, call.type);
        return SQL`CASE WHEN ${text} = '' THEN encode('') WHEN list_max(${codes}) > ${limit} THEN ${fail} ELSE ${bytes} END`;
      }),
);

const decode = withCharset((limit) =>
  limit === null
    ? guarded((call, bytes) => tryOr(SQL`decode(${bytes})`, call.raise('the bytes are no UTF-8', call.type)))
    : guarded((call, bytes) => {
        const codes = transformList(
          SQL`range(octet_length(${bytes}))`,
          (i) => SQL`CAST(concat('0x', substr(hex(${bytes}), 2 * ${i} + 1, 2)) AS INTEGER)`,
        );
        const text = SQL`array_to_string(${transformList(codes, (code) => SQL`chr(${code})`)}, '')`;
        return limit === 255
          ? text
          : SQL`CASE WHEN list_max(${codes}) > ${limit} THEN ${call.raise('the bytes are no ASCII', call.type)} ELSE ${text} END`;
      }),
);

/** Bytes. */
export const BINARY_LOWERINGS: Readonly<Record<string, FunctionLowering>> = {
  ENCODE: encode,
  DECODE: decode,
  BASE64: direct((bytes) => SQL`to_base64(${bytes})`),
  FROM_BASE64: guarded((call, text) =>
    tryOr(SQL`from_base64(${text})`, call.raiseText(SQL`concat(${quotedStart(text)}, ' is no base64')`, call.type)),
  ),
  HEX: direct((bytes) => SQL`lower(hex(${bytes}))`),
  FROM_HEX: guarded(
    (call, text) =>
      SQL`CASE WHEN regexp_full_match(${text}, '([0-9A-Fa-f]{2})*') THEN unhex(${text}) ELSE ${call.raiseText(SQL`concat(${quotedStart(text)}, ' is no hexadecimal text of whole bytes')`, call.type)} END`,
  ),
  SHA256: direct((bytes) => SQL`unhex(sha256(${bytes}))`),
  MD5: direct((bytes) => SQL`unhex(md5(${bytes}))`),
  LEN: byType(0, (type) => typed((x) => (typeName(type) === 'binary' ? SQL`octet_length(${x})` : SQL`len(${x})`))),
};
