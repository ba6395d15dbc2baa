import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

import type { Request } from 'express';

import type { Reply } from '../routes/route.ts';

const COMPRESSORS = { br: promisify(brotliCompress), gzip: promisify(gzip) } as const;
type Encoding = keyof typeof COMPRESSORS;

/**
 * Returns a function that answers with a constant JSON text: compressed if the client accepts it, each encoding computed
 * once, with an ETag. Requests without a token must be cheap.
 */
export function createStaticDocument(text: string): (req: Request) => Promise<Reply> {
  const hash = createHash('sha256').update(text).digest('base64url');
  const forms = new Map<Encoding, Promise<Buffer>>();
  const compressed = (encoding: Encoding): Promise<Buffer> => {
    const form = forms.get(encoding) ?? COMPRESSORS[encoding](text);
    forms.set(encoding, form);
    return form;
  };
  return async (req) => {
    const encoding = chooseEncoding(req);
    const etag = encoding === null ? `"${hash}"` : `"${hash}-${encoding}"`;
    const headers = { ETag: etag, Vary: 'Accept-Encoding', 'Content-Type': 'application/json; charset=utf-8' };
    if (req.headers['if-none-match']?.includes(`"${hash}`) === true)
      return { status: 304, headers: { ETag: etag, Vary: 'Accept-Encoding' } };
    if (encoding === null) return { status: 200, text, headers };
    return { status: 200, bytes: await compressed(encoding), headers: { ...headers, 'Content-Encoding': encoding } };
  };
}

function chooseEncoding(req: Request): Encoding | null {
  const best = req.acceptsEncodings(['br', 'gzip']);
  return best === 'br' || best === 'gzip' ? best : null;
}
