import type { CredentialLookup, FileHostCredential } from '../../credentials/credential-lookup.ts';
import type { FileHostLocation } from '../../locations/location.ts';
import { matchSegments } from '../../locations/match-segments.ts';
import { isPattern } from '../../locations/path-pattern.ts';
import { trimEnd } from '../../trim-end.ts';
import type { HttpClient } from '../http/http-client.ts';
import { SourceFailure } from '../source-failure.ts';
import type { Asking, FoundEntry, FoundObject, ObjectTransport } from '../transport.ts';
import { FileHostApi, type HostAsking, type HostedEntry } from './file-host-api.ts';

/** Dependencies of the file host transport. */
export interface FileHostTransportOptions {
  readonly client: HttpClient;
  readonly credentials: CredentialLookup;
  /** Defaults to the provider's. */
  readonly base: URL | undefined;
}

const MOST_FILES = 10_000;

/** The way to files at the file host, with the token that the caller has registered. */
export function createFileHostTransport({ client, credentials, base }: FileHostTransportOptions): ObjectTransport<FileHostLocation> {
  const host: Host = { api: new FileHostApi(client, base), credentials };
  return {
    kind: 'objects',
    find: ({ path }, asking) =>
      asOwner(host, path, asking, async (at) => {
        const found: FoundObject[] = [];
        for await (const entry of isPattern(path) ? matching(host.api, path, at) : itself(host.api, path, at)) {
          if (entry.kind === 'folder') continue;
          if (found.length === MOST_FILES)
            throw new SourceFailure('too-large', `${at.location}: the pattern names more than ${MOST_FILES} files`);
          found.push(foundObject(entry, host, { subject: asking.reading.subject, credential: at.credential }));
        }
        return found.sort(byLocation);
      }),
    list: ({ path }, asking) =>
      asOwner(host, path, asking, async (at) => {
        const found: FoundEntry[] = [];
        let isThere = path === '/';
        for await (const entry of isPattern(path) ? matching(host.api, path, at) : within(host.api, path, at)) {
          isThere = true;
          if (entry !== null) found.push(foundEntry(entry));
        }
        return isThere ? found.sort(byLocation) : null;
      }),
  };
}

interface Host {
  readonly api: FileHostApi;
  readonly credentials: CredentialLookup;
}

/** Runs `use` with the caller's token, and notes how that went. */
async function asOwner<Found>(
  { credentials }: Host,
  path: string,
  { reading: { subject }, signal }: Asking,
  use: (asking: HostAsking) => Promise<Found>,
): Promise<Found> {
  const location = `filehost:${path}`;
  const credential = await credentials.fileHostToken(subject);
  if (credential === null)
    throw new SourceFailure('authentication', `authentication failed: ${location}: did you register credentials for the file host?`);
  const used = { subject, kind: 'filehost-token', name: '' } as const;
  try {
    const found = await use({ credential, location, signal });
    credentials.used({ ...used, error: null });
    return found;
  } catch (thrown) {
    if (thrown instanceof SourceFailure && thrown.failure === 'authentication') credentials.used({ ...used, error: thrown.message });
    throw thrown;
  }
}

async function* itself(api: FileHostApi, path: string, asking: HostAsking): AsyncGenerator<HostedEntry> {
  const entry = path.endsWith('/') ? null : await api.entry(path, asking);
  if (entry !== null) yield entry;
}

/** Yields the entries of a folder, or the file itself; null represents an existing folder. */
async function* within(api: FileHostApi, path: string, asking: HostAsking): AsyncGenerator<HostedEntry | null> {
  const plain = trimEnd(path, /\//);
  const entry = plain === '' ? null : await api.entry(plain, asking);
  if (plain !== '' && entry === null) return;
  if (entry?.kind === 'file') {
    if (plain === path) yield entry;
    return;
  }
  yield null;
  yield* api.folder(entry?.path ?? '', { ...asking, isRecursive: false });
}

/** Yields the matches of a pattern. The folders before its first `*` or `?` are not searched. */
async function* matching(api: FileHostApi, path: string, asking: HostAsking): AsyncGenerator<HostedEntry> {
  const segments = path.split('/').filter((segment) => segment !== '');
  const first = segments.findIndex(isPattern);
  const rest = segments.slice(first);
  const folder = segments
    .slice(0, first)
    .map((segment) => `/${segment}`)
    .join('');
  const matches = matchSegments(rest);
  const isRecursive = rest.length > 1 || rest[0] === '**';
  for await (const entry of api.folder(folder, { ...asking, isRecursive })) {
    const names = entry.path
      .split('/')
      .filter((segment) => segment !== '')
      .slice(first);
    if (names.length > 0 && matches(names)) yield entry;
  }
}

function foundObject(
  entry: HostedEntry,
  { api, credentials }: Host,
  { subject, credential }: { readonly subject: string; readonly credential: FileHostCredential },
): FoundObject {
  const { path, rev, id, size, modified } = entry;
  const location = `filehost:${path}`;
  return {
    ...{ location, size, modified },
    name: path.slice(path.lastIndexOf('/') + 1),
    identity: `filehost ${JSON.stringify([subject, credential.identity])} ${id} ${rev ?? ''}`,
    isPersonal: true,
    bytes: {
      kind: 'remote',
      hasRanges: true,
      open: async function* (range, signal) {
        const now = await credentials.fileHostToken(subject);
        if (now?.identity !== credential.identity)
          throw new SourceFailure('changed', `${location}: the token of the file host has changed since the query looked at it`);
        yield* api.download(rev ?? '', range, { credential: now, location, signal });
      },
    },
  };
}

function foundEntry({ kind, path, size, modified, id, rev }: HostedEntry): FoundEntry {
  const isFile = kind === 'file';
  return { location: `filehost:${path}${isFile ? '' : '/'}`, isFile, size, modified, identity: `${id} ${rev ?? ''}` };
}

function byLocation(a: { readonly location: string }, b: { readonly location: string }): number {
  return Buffer.compare(Buffer.from(a.location), Buffer.from(b.location));
}
