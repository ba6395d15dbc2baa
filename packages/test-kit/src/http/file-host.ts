import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

import { openHttpServer, type HttpServer, type SeenRequest } from './http-server.ts';

/** A file at the host of a test. */
interface HostedFile {
  readonly content: Buffer;
  readonly rev: string;
}

/** A server that implements the file host's published HTTP API, version 2, and rejects other requests. */
export interface FileHost extends Pick<HttpServer, 'origin' | 'requests' | 'close'> {
  readonly put: (path: string, content: string | Buffer) => void;
  /** Accepted from now on. */
  readonly token: (value: string) => void;
}

/** Entries of a page of a listing: few, so that there are several pages. */
const PAGE = 2;

/** Starts one without files. */
export async function openFileHost(): Promise<FileHost> {
  const server = await openHttpServer();
  const files = new Map<string, HostedFile>();
  const cursors = new Map<string, readonly object[]>();
  let accepted = '';
  let last = 0;
  const page = (entries: readonly object[]): object => {
    const cursor = `cursor-${(last += 1)}`;
    cursors.set(cursor, entries.slice(PAGE));
    return { entries: entries.slice(0, PAGE), cursor, has_more: entries.length > PAGE };
  };
  const answers: ReadonlyMap<string, (said: Said, response: ServerResponse, request: SeenRequest) => void> = new Map([
    [
      '/2/files/list_folder',
      ({ path, recursive = false }, response) => {
        const entries = path === '' || isFolder(files, String(path)) ? entriesBelow(files, String(path), recursive === true) : null;
        if (typeof path !== 'string' || path === '/' || path.endsWith('/')) malformed(response);
        else if (entries === null) notFound(response);
        else json(response, page(entries));
      },
    ],
    [
      '/2/files/list_folder/continue',
      ({ cursor }, response) => {
        const entries = cursors.get(String(cursor));
        if (entries === undefined) malformed(response);
        else json(response, page(entries));
      },
    ],
    [
      '/2/files/get_metadata',
      ({ path }, response) => {
        const found = [...entriesBelow(files, '', true)].find((entry) => entry.path_lower === String(path).toLowerCase());
        if (typeof path !== 'string' || !path.startsWith('/') || path.endsWith('/')) malformed(response);
        else if (found === undefined) notFound(response);
        else json(response, found);
      },
    ],
    [
      '/2/files/download',
      ({ path }, response, { headers }) => {
        const rev = /^rev:(.+)$/.exec(String(path))?.[1];
        const found = [...files.values()].find((file) => file.rev === rev);
        if (found === undefined) notFound(response);
        else download(response, found, headers);
      },
    ],
  ]);
  server.answer((request, response) => {
    const { method, url, headers, body } = request;
    const answer = answers.get(url);
    const isDownload = url === '/2/files/download';
    if (answer === undefined) response.writeHead(404).end();
    else if (method !== 'POST') response.writeHead(405).end();
    else if (headers.authorization !== `Bearer ${accepted}`)
      json(response, { error_summary: 'invalid_access_token/', error: { '.tag': 'invalid_access_token' } }, 401);
    else if (isDownload ? body !== '' || headers['content-type'] !== undefined : headers['content-type'] !== 'application/json')
      response.writeHead(400, { 'content-type': 'text/plain' }).end('Error in call to API function: Bad HTTP "Content-Type" header');
    else answer(JSON.parse(isDownload ? String(headers['dropbox-api-arg']) : body) as Said, response, request);
  });
  return {
    ...server,
    put: (path, content) => {
      files.set(path, { content: Buffer.from(content as string), rev: `0${(last += 1)}a1c10ce0dd78` });
    },
    token: (value) => {
      accepted = value;
    },
  };
}

type Said = Readonly<Record<string, unknown>>;

function json(response: ServerResponse, value: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function notFound(response: ServerResponse): void {
  json(response, { error_summary: 'path/not_found/..', error: { '.tag': 'path', path: { '.tag': 'not_found' } } }, 409);
}

function malformed(response: ServerResponse): void {
  response.writeHead(400, { 'content-type': 'text/plain' }).end('Error in call to API function: request body: path: did not match pattern');
}

function isFolder(files: ReadonlyMap<string, HostedFile>, path: string): boolean {
  return [...files.keys()].some((name) => name.toLowerCase().startsWith(`${path.toLowerCase()}/`));
}

interface Entry extends Readonly<Record<string, unknown>> {
  readonly '.tag': 'file' | 'folder';
  readonly path_lower: string;
}

function entriesBelow(files: ReadonlyMap<string, HostedFile>, path: string, isRecursive: boolean): readonly Entry[] {
  const entries = new Map<string, Entry>();
  for (const [name, { content, rev }] of files) {
    if (!name.toLowerCase().startsWith(`${path.toLowerCase()}/`)) continue;
    const parts = name.slice(path.length + 1).split('/');
    for (let depth = 1; depth <= (isRecursive ? parts.length : 1); depth += 1) {
      const display = `${name.slice(0, path.length)}/${parts.slice(0, depth).join('/')}`;
      const common = { name: parts[depth - 1], path_lower: display.toLowerCase(), path_display: display, id: `id:${display}` };
      const isFile = depth === parts.length;
      const times = { client_modified: '2026-11-20T10:00:00Z', server_modified: '2026-11-21T10:00:00Z' };
      entries.set(
        display,
        isFile
          ? { '.tag': 'file', ...common, ...times, rev, size: content.length, is_downloadable: true }
          : { '.tag': 'folder', ...common },
      );
    }
  }
  return [...entries.values()];
}

function download(response: ServerResponse, { content, rev }: HostedFile, headers: IncomingHttpHeaders): void {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  const part = from === undefined ? content : content.subarray(Number(from), Number(to) + 1);
  const range = from === undefined ? {} : { 'content-range': `bytes ${from}-${Number(from) + part.length - 1}/${content.length}` };
  const about = {
    'content-type': 'application/octet-stream',
    'content-length': part.length,
    'dropbox-api-result': JSON.stringify({ rev }),
  };
  response.writeHead(from === undefined ? 200 : 206, { ...about, ...range }).end(part);
}
