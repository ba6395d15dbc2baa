import type { FileHostCredential } from '../../credentials/credential-lookup.ts';
import type { HttpAnswer, HttpClient } from '../http/http-client.ts';
import { isContentRange } from '../content-range.ts';
import { readsExactly } from '../read-exactly.ts';
import { SourceFailure } from '../source-failure.ts';
import type { ByteRange } from '../transport.ts';

/** A file or a folder as the file host describes it. */
export interface HostedEntry {
  readonly kind: 'file' | 'folder';
  /** In the case in which its owner wrote it. */
  readonly path: string;
  readonly id: string;
  /** Null for folders, like the members below: changes with each state of the file. */
  readonly rev: string | null;
  readonly size: number | null;
  readonly modified: Date | null;
}

/** Credential and limit of a request. */
export interface HostAsking {
  readonly credential: FileHostCredential;
  /** Location for messages. */
  readonly location: string;
  readonly signal: AbortSignal;
}

/** Maximum size of a response; a page of a listing is far smaller. */
const MOST_ANSWER_BYTES = 32 * 2 ** 20;

/** The file host's published HTTP API, version 2, for listing and downloading. Fails with a SourceFailure. */
export class FileHostApi {
  readonly #client: HttpClient;
  readonly #questions: URL;
  readonly #content: URL;

  constructor(client: HttpClient, base: URL | undefined) {
    this.#client = client;
    this.#questions = base ?? new URL('https://api.dropboxapi.com');
    this.#content = base ?? new URL('https://content.dropboxapi.com');
  }

  /** Returns the entry of a path; null if it does not exist. The root has no entry. */
  async entry(path: string, asking: HostAsking): Promise<HostedEntry | null> {
    const answer = await this.#ask('get_metadata', { path }, asking);
    return answer === null ? null : entryOf(answer, asking.location);
  }

  /** Yields the entries of a folder, page by page; none if it does not exist. `path` is empty for the root. */
  async *folder(path: string, { isRecursive, ...asking }: HostAsking & { readonly isRecursive: boolean }): AsyncGenerator<HostedEntry> {
    let page = await this.#ask('list_folder', { path, recursive: isRecursive, limit: 2000 }, asking);
    while (page !== null) {
      const { entries, cursor, has_more: hasMore } = page;
      if (!Array.isArray(entries) || typeof cursor !== 'string' || typeof hasMore !== 'boolean') throw strange(asking.location);
      for (const entry of entries as readonly unknown[]) yield entryOf(entry, asking.location);
      if (!hasMore) return;
      page = await this.#ask('list_folder/continue', { cursor }, asking);
    }
  }

  /** The bytes of one state of a file, or of a part of it. */
  async *download(rev: string, range: ByteRange | null, { credential, location, signal }: HostAsking): AsyncGenerator<Uint8Array> {
    const answer = await this.#client.send(
      {
        ...{ url: at(this.#content, '2/files/download'), method: 'POST', body: null, location, key: '' },
        headers: { 'dropbox-api-arg': JSON.stringify({ path: `rev:${rev}` }) },
        isSafe: true,
      },
      {
        headers: { 'accept-encoding': 'identity', ...(range === null ? {} : { range: `bytes=${range.start}-${range.end - 1}` }) },
        authorization: `Bearer ${credential.accessToken}`,
        signal,
      },
    );
    try {
      const { status, headers } = answer;
      if (status === 409) throw new SourceFailure('changed', `${location}: it has changed since the query looked at it`);
      if (status !== 200 && status !== 206) throw explainAnswer(status, location);
      if (range === null ? status !== 200 : status !== 206 || !isContentRange(headers['content-range'], range))
        throw new SourceFailure('broken', `${location}: the file host sent other bytes of the file than were asked for`);
      yield* range === null ? answer.body() : readsExactly(answer.body(), { bytes: range.end - range.start, location });
    } finally {
      answer.close();
    }
  }

  /** Returns null if nothing exists at the path. */
  async #ask(
    question: string,
    said: object,
    { credential, location, signal }: HostAsking,
  ): Promise<Readonly<Record<string, unknown>> | null> {
    const answer = await this.#client.send(
      {
        ...{ url: at(this.#questions, `2/files/${question}`), method: 'POST', body: JSON.stringify(said), location, key: '' },
        headers: {},
        // The request is idempotent.
        isSafe: true,
      },
      { headers: { 'accept-encoding': 'identity' }, authorization: `Bearer ${credential.accessToken}`, signal },
    );
    try {
      if (answer.status !== 200 && answer.status !== 409) throw explainAnswer(answer.status, location);
      const body = await readJson(answer, location);
      if (answer.status === 200) return body;
      const summary = typeof body['error_summary'] === 'string' ? body['error_summary'] : '';
      if (/^path\/(not_found|not_folder|malformed_path)\b/.test(summary)) return null;
      if (summary.startsWith('path/restricted_content')) throw new SourceFailure('refused', `${location}: access refused by the file host`);
      throw new SourceFailure('broken', `${location}: the file host refused the request`);
    } finally {
      answer.close();
    }
  }
}

function at(base: URL, path: string): URL {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`;
  return url;
}

async function readJson(answer: HttpAnswer, location: string): Promise<Readonly<Record<string, unknown>>> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of answer.body()) {
    pieces.push(piece);
    size += piece.length;
    if (size > MOST_ANSWER_BYTES) throw new SourceFailure('too-large', `${location}: the answer of the file host is too large`);
  }
  try {
    const parsed: unknown = JSON.parse(Buffer.concat(pieces).toString());
    if (isObject(parsed)) return parsed;
  } catch {
    // Reported below.
  }
  throw strange(location);
}

function entryOf(entry: unknown, location: string): HostedEntry {
  if (!isObject(entry)) throw strange(location);
  const { '.tag': kind, path_display: path, id, rev, size, server_modified: modified } = entry;
  if (typeof path !== 'string' || typeof id !== 'string') throw strange(location);
  if (kind === 'folder') return { kind, path, id, rev: null, size: null, modified: null };
  if (kind !== 'file' || typeof rev !== 'string' || typeof size !== 'number') throw strange(location);
  const time = typeof modified === 'string' ? new Date(modified) : null;
  return { kind, path, id, rev, size, modified: time === null || Number.isNaN(time.getTime()) ? null : time };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function strange(location: string): SourceFailure {
  return new SourceFailure('broken', `${location}: the answer of the file host cannot be understood`);
}

function explainAnswer(status: number, location: string): SourceFailure {
  if (status === 401)
    return new SourceFailure('authentication', `authentication failed: ${location}: the file host did not accept the registered token`);
  if (status === 403) return new SourceFailure('refused', `${location}: access refused by the file host`);
  if (status === 429) return new SourceFailure('refused', `${location}: the file host was asked too often`);
  return new SourceFailure('broken', `${location}: the file host answered with status ${status}`);
}
