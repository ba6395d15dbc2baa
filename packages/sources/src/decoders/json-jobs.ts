import { findJsonMisfit, type JsonFiles, type JsonShape, MalformedJson, scanDocument } from '@svc/text-formats';

/** A document of JSON that is added to a shape. */
export interface JsonShapeJob {
  readonly bytes: Uint8Array;
  readonly shape: JsonShape;
}

/** The shape with the document, or the reason why the text is not valid JSON. */
export type JsonShapeFound = { readonly shape: JsonShape } | { readonly malformed: string; readonly byte: number };

/** Adds a document to a shape. */
export async function scanJson({ bytes, shape }: JsonShapeJob): Promise<JsonShapeFound> {
  try {
    scanDocument(bytes, shape);
    return { shape };
  } catch (thrown) {
    if (!(thrown instanceof MalformedJson)) throw thrown;
    return { malformed: thrown.message, byte: thrown.byte };
  }
}

/** Returns the shape. Throws MalformedJson if the text was not valid JSON. */
export function shapeFound(found: JsonShapeFound): JsonShape {
  if ('malformed' in found) throw new MalformedJson(found.malformed, found.byte);
  return found.shape;
}

/** A file that could not be read as planned. */
export interface JsonMisfitJob {
  readonly plan: JsonFiles;
  /** By its place among the plan's. */
  readonly file: number;
}

/** Why a file could not be read as planned, in words; null where nobody can tell. Fails with a ReadFailure. */
export async function explainJson({ plan, file }: JsonMisfitJob, signal: AbortSignal): Promise<string | null> {
  return findJsonMisfit(plan, file, signal);
}
