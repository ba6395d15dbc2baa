/** An object store's location, parsed: `s3://bucket/path` or `s3://region@bucket/path`. */
export interface S3Location {
  readonly bucket: string;
  /** Null where the location does not name it. */
  readonly region: string | null;
  /** What stands behind the bucket's slash: a key, the start of keys, or a pattern. */
  readonly path: string;
}

/** S3's rule for the names of buckets. */
const BUCKET = /^(?!\d+\.\d+\.\d+\.\d+$)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const REGION = /^[a-z0-9-]{1,64}$/;

/** Parses a location that begins with `s3:`; null where it is none. */
export function parseS3Location(text: string): S3Location | null {
  const match = /^s3:\/\/(?:([^/@]*)@)?([^/]*)(?:\/(.*))?$/is.exec(text);
  if (match === null) return null;
  const [, region, bucket = '', path = ''] = match;
  if (!BUCKET.test(bucket) || (region !== undefined && !REGION.test(region))) return null;
  return { bucket, region: region ?? null, path };
}
