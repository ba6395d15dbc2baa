import type { CredentialLookup, HttpCredential } from '../../credentials/credential-lookup.ts';
import { isContentRange } from '../content-range.ts';
import { readsExactly } from '../read-exactly.ts';
import { SourceFailure } from '../source-failure.ts';
import type { ByteRange } from '../transport.ts';
import type { HttpAnswer, HttpClient } from './http-client.ts';
import { prove, type Proof } from './http-credentials.ts';
import { explainStatus } from './http-failure.ts';
import type { HttpRequest } from './http-request.ts';
import type { OAuthTokens } from './oauth-tokens.ts';

/** A request, answered. */
export interface SentRequest {
  readonly request: HttpRequest;
  /** A response of success, 206 for a range, or 304 for a conditional request. */
  readonly answer: HttpAnswer;
}

interface Sending {
  readonly subject: string;
  readonly credential: HttpCredential | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Something that was found, to be read as it was then. */
export interface ReadAgain {
  readonly request: HttpRequest;
  readonly subject: string;
  /** Owner of the credential with which it was found. */
  readonly owner: string;
  /** ETag, or time and length, as it was found. */
  readonly validator: string;
  readonly range: ByteRange | null;
  readonly signal: AbortSignal;
}

/** Sends authenticated requests. */
export class HttpExchange {
  readonly #client: HttpClient;
  readonly #tokens: OAuthTokens;
  readonly #credentials: CredentialLookup;

  constructor({ client, tokens, credentials }: { client: HttpClient; tokens: OAuthTokens; credentials: CredentialLookup }) {
    this.#client = client;
    this.#tokens = tokens;
    this.#credentials = credentials;
  }

  /** Returns the caller's credential for a request; null if there is none, or the request has its own Authorization. */
  async credentialFor(request: HttpRequest, subject: string): Promise<HttpCredential | null> {
    return 'authorization' in request.headers ? null : this.#credentials.httpCredential(subject, request.url);
  }

  /** Throws a SourceFailure if the response cannot be read. */
  async send(request: HttpRequest, sending: Sending): Promise<SentRequest> {
    const { subject, credential } = sending;
    if (credential === null) return { request, answer: await this.#accepted(request, null, sending) };
    const used = { subject, kind: 'http-credential', name: credential.prefixUrl } as const;
    try {
      const answer = await this.#accepted(request, credential, sending);
      this.#credentials.used({ ...used, error: null });
      return { request, answer };
    } catch (thrown) {
      if (thrown instanceof SourceFailure && thrown.failure === 'authentication')
        this.#credentials.used({ ...used, error: thrown.message });
      throw thrown;
    }
  }

  /** Yields the bytes of the object in the state found, or of a range. Fails with `changed` if the state differs. */
  async *readAgain({ request, subject, owner, validator, range, signal }: ReadAgain): AsyncGenerator<Uint8Array> {
    const credential = await this.credentialFor(request, subject);
    const changed = new SourceFailure('changed', `${request.location}: it has changed since the query looked at it`);
    if ((credential === null ? '' : JSON.stringify([subject, credential.identity])) !== owner) throw changed;
    const headers = range === null ? {} : { range: `bytes=${range.start}-${range.end - 1}`, 'accept-encoding': 'identity' };
    const { answer } = await this.send(request, { subject, credential, headers, signal });
    try {
      const { headers: found } = answer;
      const total = answer.status === 206 ? /\/(\d+)$/.exec(found['content-range'] ?? '')?.[1] : found['content-length'];
      const isSame = validator === found.etag || validator === `${found['last-modified']} ${total}`;
      if (!isSame) throw changed;
      if (range === null) {
        yield* answer.body();
        return;
      }
      if (answer.status !== 206 || !isContentRange(found['content-range'], range))
        throw new SourceFailure('broken', `${request.location}: the server announces ranges, and answers with something else`);
      yield* readsExactly(answer.body(), { bytes: range.end - range.start, location: request.location });
    } finally {
      answer.close();
    }
  }

  /** A token that is not accepted is exchanged for another, once. */
  async #accepted(request: HttpRequest, credential: HttpCredential | null, { subject, headers, signal }: Sending): Promise<HttpAnswer> {
    let refused: Proof['token'] = null;
    for (;;) {
      const proof: Proof | null = credential === null ? null : await prove(credential, { subject, tokens: this.#tokens, refused, signal });
      const answer = await this.#client.send(request, { headers, authorization: proof?.authorization ?? null, signal });
      const { status } = answer;
      if ((status >= 200 && status < 300 && status !== 206) || (status === 206 && 'range' in headers)) return answer;
      if (status === 304 && 'if-none-match' in headers) return answer;
      answer.close();
      if (status !== 401 || proof === null || proof.token === null || refused !== null)
        throw explainStatus(status, request.location, { prefixUrl: credential?.prefixUrl ?? null, origin: request.url.origin });
      refused = proof.token;
    }
  }
}
