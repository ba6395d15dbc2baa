import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { interrupted } from '@svc/text-formats';

import { isPattern, matchSegment } from '../../locations/path-pattern.ts';
import { matchSegments } from '../../locations/match-segments.ts';
import { statusOf, type BucketAccess } from './s3-clients.ts';
import { SourceFailure } from '../source-failure.ts';
import { explainS3, isNoSuchObject } from './s3-failure.ts';

/** An object in a listing, or a folder: the common prefix of keys up to a slash. */
export type S3Entry = S3Object | S3Folder;

/** An object in the state in which it was found. */
export interface S3Object {
  readonly kind: 'object';
  readonly key: string;
  readonly size: number;
  readonly modified: Date;
  readonly etag: string;
}

/** Common prefix of keys, including the slash. */
export interface S3Folder {
  readonly kind: 'folder';
  readonly key: string;
}

/** Parameters of a listing. */
export interface S3Listing {
  readonly client: S3Client;
  readonly access: BucketAccess;
  /** Location as the user wrote it. */
  readonly location: string;
  /** Keys of a page; null for as many as the store sends. */
  readonly pageSize: number | null;
  readonly signal: AbortSignal;
}

/** Finds one object by its key. Returns null if there is none. */
export async function findObject({ client, access, location, signal }: S3Listing, key: string): Promise<S3Object | null> {
  try {
    const found = await client.send(new HeadObjectCommand({ Bucket: access.bucket, Key: key }), { abortSignal: signal });
    const { ETag: etag, ContentLength: size, LastModified: modified } = found;
    if (etag === undefined || size === undefined || modified === undefined)
      throw new SourceFailure('broken', `${location}: the object store does not say size, time and ETag of the object`);
    return { kind: 'object', key, size, modified, etag };
  } catch (thrown) {
    if (signal.aborted) throw interrupted(signal.reason);
    if (thrown instanceof SourceFailure) throw thrown;
    const reason = statusOf(thrown) === null ? thrown : await reasonOf({ client, access, signal }, key, thrown);
    if (isNoSuchObject(reason)) return null;
    throw explainS3(reason, access, location);
  }
}

/** Gets the reason of a rejected HEAD, which has no body, from a GET. */
async function reasonOf(
  { client, access, signal }: Pick<S3Listing, 'client' | 'access' | 'signal'>,
  key: string,
  refusal: unknown,
): Promise<unknown> {
  try {
    const answer = await client.send(new GetObjectCommand({ Bucket: access.bucket, Key: key, Range: 'bytes=0-0' }), {
      abortSignal: signal,
    });
    await answer.Body?.transformToByteArray();
    return refusal;
  } catch (thrown) {
    return thrown;
  }
}

/**
 * Yields the matches of a path with `*`, `?` and `**`, in key order, one page of the store at a time: a reader that stops
 * early requests no further page. Folders are yielded if the pattern's last segment matches them.
 */
export async function* matchObjects(listing: S3Listing, path: string): AsyncGenerator<S3Entry> {
  yield* walk(listing, '', path.split('/'));
}

/** Yields the entries of a folder, or of the bucket for an empty path; see `matchObjects`. */
export async function* listFolder(listing: S3Listing, prefix: string): AsyncGenerator<S3Entry> {
  for await (const entry of listPrefix(listing, prefix, { isDeep: false })) if (entry.key !== prefix) yield entry;
}

async function* walk(listing: S3Listing, prefix: string, segments: readonly string[]): AsyncGenerator<S3Entry> {
  const [segment = '', ...rest] = segments;
  if (segment === '**') {
    yield* matchBelow(listing, prefix, segments);
  } else if (!isPattern(segment)) {
    if (rest.length > 0) yield* walk(listing, `${prefix}${segment}/`, rest);
    else yield* exactly(listing, prefix + segment);
  } else {
    const matches = matchSegment(segment);
    // The literal prefix of the pattern restricts the listing.
    for await (const entry of listPrefix(listing, prefix + segment.slice(0, segment.search(/[*?]/)), { isDeep: false })) {
      const name = entry.key.slice(prefix.length, entry.kind === 'folder' ? -1 : undefined);
      if (name === '' || !matches(name)) continue;
      if (rest.length === 0) yield entry;
      else if (entry.kind === 'folder') yield* walk(listing, entry.key, rest);
    }
  }
}

/** Yields all matching keys below a prefix, for patterns of any depth. */
async function* matchBelow(listing: S3Listing, prefix: string, segments: readonly string[]): AsyncGenerator<S3Entry> {
  const matches = matchSegments(segments);
  for await (const entry of listPrefix(listing, prefix, { isDeep: true }))
    if (matches(entry.key.slice(prefix.length).split('/'))) yield entry;
}

/** The key itself sorts first among the keys with that prefix. */
async function* exactly(listing: S3Listing, key: string): AsyncGenerator<S3Entry> {
  for await (const entry of listPrefix(listing, key, { isDeep: false, pageSize: 1 })) {
    if (entry.key === key) yield entry;
    return;
  }
}

interface PrefixListing {
  /** True for keys at any depth, false for the keys and folders of one folder. */
  readonly isDeep: boolean;
  readonly pageSize?: number | null;
}

async function* listPrefix(
  listing: S3Listing,
  prefix: string,
  { isDeep, pageSize = listing.pageSize }: PrefixListing,
): AsyncGenerator<S3Entry> {
  const { client, access, location, signal } = listing;
  let token: string | undefined;
  do {
    const command = new ListObjectsV2Command({
      Bucket: access.bucket,
      Prefix: prefix,
      ...(isDeep ? {} : { Delimiter: '/' }),
      ...(pageSize === null ? {} : { MaxKeys: pageSize }),
      ...(token === undefined ? {} : { ContinuationToken: token }),
    });
    const page = await client.send(command, { abortSignal: signal }).catch((thrown: unknown) => {
      if (signal.aborted) throw interrupted(signal.reason);
      throw explainS3(thrown, access, location);
    });
    const objects = (page.Contents ?? []).map(({ Key = '', Size = 0, LastModified = new Date(0), ETag = '' }): S3Object => {
      return { kind: 'object', key: Key, size: Size, modified: LastModified, etag: ETag };
    });
    const folders = (page.CommonPrefixes ?? []).map(({ Prefix = '' }): S3Folder => ({ kind: 'folder', key: Prefix }));
    // Some tools leave a key that ends in a slash for an empty folder.
    const entries = [...objects.filter(({ key }) => !key.endsWith('/')), ...folders];
    if (folders.length > 0) entries.sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
    yield* entries;
    token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
  } while (token !== undefined);
}
