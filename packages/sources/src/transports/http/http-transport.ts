import { createHash, randomUUID } from 'node:crypto';

import type { NetworkGuard } from '@svc/network-guard';
import { LRUCache } from 'lru-cache';

import type { CredentialLookup } from '../../credentials/credential-lookup.ts';
import type { HttpLocation } from '../../locations/location.ts';
import { copyKeyOf, SAMPLE_BYTES } from '../../reading/take-samples.ts';
import type { Spool } from '../../spool/spool.ts';
import type { Asking, ByteRange, FoundObject, ObjectTransport, RemoteBytes } from '../transport.ts';
import type { HttpAnswer, HttpClient } from './http-client.ts';
import { HttpExchange, type SentRequest } from './http-exchange.ts';
import { makeRequest, type HttpRequest } from './http-request.ts';
import { OAuthTokens } from './oauth-tokens.ts';

/** Dependencies of the HTTP transport. */
export interface HttpTransportOptions {
  /** For token endpoints. */
  readonly guard: NetworkGuard;
  readonly client: HttpClient;
  readonly spool: Spool;
  readonly credentials: CredentialLookup;
}

/** Answers that are remembered, for `cache` and for questions whether something has changed. */
const MOST_ANSWERS = 10_000;

interface RememberedAnswer {
  readonly object: FoundObject;
  readonly at: number;
  /** Null if the server sends no validator. */
  readonly etag: string | null;
  /** True if the object can be fetched again. Otherwise the copy is all that exists of it. */
  readonly canReopen: boolean;
}

/** Transport of HTTP. */
export class HttpTransport implements ObjectTransport<HttpLocation> {
  readonly kind = 'objects';
  readonly #exchange: HttpExchange;
  readonly #spool: Spool;
  readonly #close: () => Promise<void>;
  /** By request, and by caller and credential if one was used. */
  readonly #answers = new LRUCache<string, RememberedAnswer>({ max: MOST_ANSWERS });

  constructor({ guard, client, spool, credentials }: HttpTransportOptions) {
    const tokens = new OAuthTokens({ credentials, guard });
    this.#exchange = new HttpExchange({ client, tokens, credentials });
    this.#spool = spool;
    this.#close = () => tokens.close();
  }

  async close(): Promise<void> {
    await this.#close();
  }

  async find({ url }: HttpLocation, asking: Asking): Promise<readonly FoundObject[]> {
    const request = makeRequest(url, asking.options);
    const { subject } = asking.reading;
    const credential = await this.#exchange.credentialFor(request, subject);
    const owner = credential === null ? '' : JSON.stringify([subject, credential.identity]);
    const key = `${request.key} ${owner}`;
    const known = this.#answers.get(key);
    const maxAgeMs = ageOf(asking.options['cache']);
    if (known !== undefined && maxAgeMs !== null && Date.now() - known.at <= maxAgeMs && (await this.#isHeld(known.object, asking)))
      return [known.object];
    const isSame = known !== undefined && known.etag !== null && (known.canReopen || (await this.#isHeld(known.object, asking)));
    const headers = isSame ? { 'if-none-match': known.etag ?? '' } : {};
    const sent = await this.#exchange.send(request, { subject, credential, headers, signal: asking.signal });
    if (isSame && sent.answer.status === 304) {
      sent.answer.close();
      this.#answers.set(key, { ...known, at: Date.now() });
      return [known.object];
    }
    const answered = await this.#take(sent, { asking, owner, isWhole: maxAgeMs !== null });
    this.#answers.set(key, answered);
    return [answered.object];
  }

  /** HTTP has no listings: a URL lists itself. */
  async list(location: HttpLocation, asking: Asking) {
    const found = await this.find(location, asking);
    return found.map((object) => ({ ...object, isFile: true }));
  }

  /** Holds the copy of a response that is used again; false if it was evicted. */
  async #isHeld({ identity }: FoundObject, { reading }: Asking): Promise<boolean> {
    const release = await this.#spool.holdKnown(copyKeyOf(identity));
    if (release === null) return false;
    reading.keep(release);
    return true;
  }

  /** Responses that are small, or cannot be requested again in a verifiable state, are copied as a whole. */
  async #take(
    { request, answer }: SentRequest,
    { asking, owner, isWhole }: { readonly asking: Asking; readonly owner: string; readonly isWhole: boolean },
  ): Promise<RememberedAnswer> {
    const { headers } = answer;
    const etag = headers.etag ?? null;
    const modified = Date.parse(headers['last-modified'] ?? '');
    const encoded = (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
    const length = encoded || headers['content-length'] === undefined ? null : Number(headers['content-length']);
    const validator = etag ?? (length !== null && !Number.isNaN(modified) ? `${headers['last-modified']} ${length}` : null);
    const of = {
      location: request.location,
      name: nameOf(request.url, headers['content-type']),
      modified: Number.isNaN(modified) ? null : new Date(modified),
      isPersonal: owner !== '',
    };
    const mark = `http ${request.key} ${owner}`;
    const isReopened = request.isSafe && !isWhole && validator !== null;
    const fetched = isReopened && (length ?? 0) > SAMPLE_BYTES ? null : await this.#fetch(answer, { asking, mark, isReopened, length });
    if (fetched === null && validator !== null) {
      answer.close();
      const hasRanges = headers['accept-ranges'] === 'bytes' && length !== null;
      const bytes = this.#remote({ request, subject: asking.reading.subject, owner, hasRanges, validator });
      return { object: { ...of, size: length, identity: `${mark} ${validator}`, bytes }, at: Date.now(), etag, canReopen: true };
    }
    if (fetched === null) throw new Error('what cannot be asked for again is fetched');
    const { identity, size, isKnown } = fetched;
    return {
      object: { ...of, identity, size, bytes: { kind: 'fetched' } },
      at: Date.now(),
      etag: isKnown && request.isSafe ? etag : null,
      canReopen: false,
    };
  }

  /**
   * Copies a whole response to the spool, where it stays until the query ends. Small ones are identified by content. Null
   * for a large one that can be requested again.
   */
  async #fetch(
    answer: HttpAnswer,
    at: { readonly asking: Asking; readonly mark: string; readonly isReopened: boolean; readonly length: number | null },
  ): Promise<{ readonly identity: string; readonly size: number; readonly isKnown: boolean } | null> {
    const { reading, signal } = at.asking;
    const pieces = answer.body();
    const begin: Uint8Array[] = [];
    let size = 0;
    let next = await pieces.next();
    for (; next.done !== true && size + next.value.length <= SAMPLE_BYTES; next = await pieces.next()) {
      begin.push(next.value);
      size += next.value.length;
    }
    const isKnown = next.done === true;
    if (!isKnown && at.isReopened) return null;
    const state = isKnown ? hashOf(begin) : randomUUID();
    const identity = `${at.mark} ${state}`;
    const rest = next;
    const all = async function* (): AsyncGenerator<Uint8Array> {
      yield* begin;
      if (rest.done === true) return;
      size += rest.value.length;
      yield rest.value;
      for await (const piece of pieces) {
        size += piece.length;
        yield piece;
      }
    };
    try {
      const copy = { key: copyKeyOf(identity), pieces: all, ...(at.length === null ? {} : { bytes: at.length }) };
      reading.keep(await this.#spool.hold(copy, signal));
    } finally {
      answer.close();
    }
    return { identity, size, isKnown };
  }

  #remote(of: {
    readonly request: HttpRequest;
    readonly subject: string;
    readonly owner: string;
    readonly hasRanges: boolean;
    readonly validator: string;
  }): RemoteBytes {
    const exchange = this.#exchange;
    const open = async function* (range: ByteRange | null, signal: AbortSignal): AsyncGenerator<Uint8Array> {
      yield* exchange.readAgain({ ...of, range, signal });
    };
    return { kind: 'remote', hasRanges: of.hasRanges, open };
  }
}

function hashOf(pieces: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('base64url');
}

/** Converts an interval's months, days and microseconds to milliseconds; null if not given. */
function ageOf(told: Asking['options'][string] | undefined): number | null {
  if (typeof told !== 'string') return null;
  const [months = 0, days = 0, micros = 0] = told.split(' ').map(Number);
  return (months * 30 + days) * 86_400_000 + micros / 1000;
}

/** Returns the name of a response: of the path if it has an extension, else derived from the content type. */
function nameOf(url: URL, contentType: string | undefined): string {
  const name = url.pathname.slice(url.pathname.lastIndexOf('/') + 1);
  if (/\.[A-Za-z]/.test(name)) return name;
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  return `${name}${EXTENSIONS.get(type) ?? ''}`;
}

const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['text/csv', '.csv'],
  ['text/tab-separated-values', '.tsv'],
  ['application/json', '.json'],
  ['application/x-ndjson', '.ndjson'],
  ['application/jsonl', '.jsonl'],
  ['application/xml', '.xml'],
  ['text/xml', '.xml'],
  ['application/vnd.apache.parquet', '.parquet'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', '.xlsx'],
]);
