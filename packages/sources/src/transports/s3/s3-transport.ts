import type { CredentialLookup } from '../../credentials/credential-lookup.ts';
import { noteUse } from '../../credentials/note-use.ts';
import type { S3Location } from '../../locations/location.ts';
import { isPattern } from '../../locations/path-pattern.ts';
import { SourceFailure } from '../source-failure.ts';
import type { Asking, FoundEntry, FoundObject, ObjectTransport } from '../transport.ts';
import { findObject, listFolder, matchObjects, type S3Entry, type S3Listing, type S3Object } from './list-objects.ts';
import { openObject } from './open-object.ts';
import type { BucketAccess, S3Clients } from './s3-clients.ts';

/** Dependencies of the S3 transport. */
export interface S3TransportOptions {
  readonly clients: S3Clients;
  readonly credentials: CredentialLookup;
}

const MOST_OBJECTS = 10_000;

/** The way to objects in object stores, with the keys that the caller has registered for a bucket, or without any. */
export function createS3Transport(options: S3TransportOptions): ObjectTransport<S3Location> {
  return {
    kind: 'objects',
    find: async (location, asking) => {
      const store = { ...options, location };
      return asUse(store, asking, async (listing) => {
        const found: FoundObject[] = [];
        for await (const entry of objectsOf(listing, location.key)) {
          if (entry.kind === 'folder') continue;
          if (found.length === MOST_OBJECTS)
            throw new SourceFailure('too-large', `${listing.location}: the pattern names more than ${MOST_OBJECTS} objects`);
          found.push(foundObject(entry, { store, listing, subject: asking.reading.subject }));
        }
        return found;
      });
    },
    list: {
      identify: async (location, { reading }) => {
        const { access } = await accessTo({ ...options, location }, reading.subject);
        return JSON.stringify(['s3 list', location, access.region, access.identity]);
      },
      entries: (location, asking) => listEntries({ ...options, location }, asking),
    },
  };
}

async function* listEntries(store: Store, { reading, signal }: Asking): AsyncGenerator<FoundEntry> {
  const { location, clients, credentials } = store;
  const { access, isRegistered } = await accessTo(store, reading.subject);
  const client = await clients.clientFor(access, signal);
  const text = textOf(location, location.key);
  const entries = entriesOf({ client, access, location: text, pageSize: clients.limits.pageSize, signal }, location.key)[
    Symbol.asyncIterator
  ]();
  // The first entry proves that the credential was accepted.
  const noted = { subject: reading.subject, kind: 'objbucket', name: location.bucket } as const;
  const first = isRegistered ? await noteUse(credentials, noted, () => entries.next()) : await entries.next();
  for (let next = first; next.done !== true; next = await entries.next()) yield foundEntry(next.value, location, access);
}

/** A store, and the location in it. */
interface Store extends S3TransportOptions {
  readonly location: S3Location;
}

/** Runs `use` with the caller's credential, and notes how that went. */
async function asUse<Found>(store: Store, { reading, signal }: Asking, use: (listing: S3Listing) => Promise<Found>): Promise<Found> {
  const { location, credentials, clients } = store;
  const { access, isRegistered } = await accessTo(store, reading.subject);
  const ask = async (): Promise<Found> => {
    const client = await clients.clientFor(access, signal);
    return use({ client, access, location: textOf(location, location.key), pageSize: clients.limits.pageSize, signal });
  };
  if (!isRegistered) return ask();
  return noteUse(credentials, { subject: reading.subject, kind: 'objbucket', name: location.bucket }, ask);
}

/** The location's region takes precedence over the credential's; without either it is requested from the store. */
async function accessTo({ location, credentials }: Store, subject: string): Promise<{ access: BucketAccess; isRegistered: boolean }> {
  const { bucket } = location;
  const credential = await credentials.bucket(subject, bucket);
  const { accessKey = null, secretKey = null } = credential ?? {};
  return {
    isRegistered: credential !== null,
    access: {
      bucket,
      region: location.region ?? credential?.region ?? null,
      keys: accessKey === null || secretKey === null ? null : { accessKey, secretKey },
      identity: credential === null ? '' : JSON.stringify([subject, credential.identity]),
    },
  };
}

async function* objectsOf(listing: S3Listing, key: string): AsyncGenerator<S3Entry> {
  if (key.split('/').some(isPattern)) yield* matchObjects(listing, key);
  else if (key !== '' && !key.endsWith('/')) {
    const object = await findObject(listing, key);
    if (object !== null) yield object;
  }
}

/** Yields the entries of a folder, the object itself, or the matches of a pattern. */
async function* entriesOf(listing: S3Listing, key: string): AsyncGenerator<S3Entry> {
  let isEmpty = true;
  for await (const entry of objectsOf(listing, key)) {
    isEmpty = false;
    yield entry;
  }
  if (!isEmpty || key.split('/').some(isPattern)) return;
  yield* listFolder(listing, key === '' || key.endsWith('/') ? key : `${key}/`);
}

interface FoundIn {
  readonly store: Store;
  readonly listing: S3Listing;
  readonly subject: string;
}

function foundObject(object: S3Object, { store, listing, subject }: FoundIn): FoundObject {
  const { key, size, modified, etag } = object;
  const location = textOf(store.location, key);
  return {
    location,
    name: key.slice(key.lastIndexOf('/') + 1),
    size,
    modified,
    identity: identityOf(object, listing.access),
    isPersonal: listing.access.identity !== '',
    bytes: {
      kind: 'remote',
      hasRanges: true,
      open: async function* (range, signal) {
        const { access } = await accessTo(store, subject);
        const client = await store.clients.clientFor(access, signal);
        const { silenceTimeoutMs } = store.clients.limits;
        yield* openObject({ client, access, key, location, etag, size, range, silenceTimeoutMs }, signal);
      },
    },
  };
}

function foundEntry(entry: S3Entry, location: S3Location, access: BucketAccess): FoundEntry {
  const isFile = entry.kind === 'object';
  return {
    location: textOf(location, entry.key),
    isFile,
    size: isFile ? entry.size : null,
    modified: isFile ? entry.modified : null,
    identity: isFile ? identityOf(entry, access) : entry.key,
  };
}

function identityOf({ key, etag, size }: S3Object, { bucket, identity }: BucketAccess): string {
  return JSON.stringify(['s3', bucket, key, etag, size, identity]);
}

function textOf({ region, bucket }: S3Location, key: string): string {
  return `s3://${region === null ? '' : `${region}@`}${bucket}/${key}`;
}
