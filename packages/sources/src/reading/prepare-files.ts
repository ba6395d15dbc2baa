import type { CsvReadPlan, Inferred, JsonReadPlan, ReadFile, ReadPlan, TextReadPlan } from '@svc/query-engine';
import { type Compression, readBytes } from '@svc/text-formats';

import { decodeText } from '../decoders/decode-text.ts';
import type { LookedFile } from '../file-format.ts';
import type { Copy, Spool } from '../spool/spool.ts';
import type { SourceFile } from './source-file.ts';

/** Files as the engine is given them: themselves, or copies that it can read. */
export interface PreparedFiles {
  readonly files: readonly ReadFile[];
  readonly compression: Compression | null;
  /** In an order in which each can be made from earlier ones. */
  readonly copies: readonly Copy[];
}

/** A plan with the copies that must be held while it is read, in an order in which each can be made from earlier ones. */
export interface PreparedPlan {
  readonly plan: ReadPlan;
  readonly copies: readonly Copy[];
}

/** An inspected file. */
export interface SeenFile {
  readonly found: SourceFile;
  readonly look: LookedFile;
}

/** Returns the files to inspect: samples, where there are any. */
export function samplesOf(seen: readonly SeenFile[]): readonly SeenFile[] {
  return seen.map(({ found, look }) => {
    const { sample, copy: _, ...rest } = found;
    if (sample === undefined) return { found, look };
    const isBeginning = sample.kind === 'beginning';
    const identity = `${sample.kind} ${found.identity}`;
    return { found: { ...rest, path: sample.path, identity, isBeginning }, look: { ...look, compression: null } };
  });
}

/** Applies what was inferred from samples to the files. */
export function onFiles<Plan extends ReadPlan>(inferred: Inferred<Plan>, whole: PreparedFiles): Inferred<Plan> {
  const { plan } = inferred;
  const byPath = new Map(plan.files.map(({ path }, i) => [path, whole.files[i]]));
  const asWhole = (file: ReadFile): ReadFile => byPath.get(file.path) ?? file;
  const files = plan.files.map(asWhole);
  const parts = plan.kind === 'parquet' ? { parts: plan.parts.map((part) => ({ ...part, files: part.files.map(asWhole) })) } : {};
  return { ...inferred, plan: { ...plan, files, ...parts, compression: whole.compression } };
}

/**
 * Applies a plan to the beginning of the first file, as it was sampled: its rows are the first rows, and the last of them may
 * be incomplete. Undefined if the first file was not sampled, or a beginning of it cannot be read.
 */
export function onBeginning<Plan extends TextPlan>(plan: Plan, seen: readonly SeenFile[], at: PreparedBeginning): PreparedPlan | undefined {
  const [first] = seen;
  const sample = first?.found.sample;
  if (first === undefined || sample?.kind !== 'beginning' || plan.files.length !== seen.length) return undefined;
  if (plan.kind === 'json' && plan.layouts[0] !== 'newline_delimited') return undefined;
  const { files, copies } = prepareText(samplesOf([first]), at.needs, at.spool);
  const layouts = plan.kind === 'json' ? { layouts: plan.layouts.slice(0, 1) } : {};
  const fileColumns = plan.fileColumns.map((column) => ({ ...column, values: column.values.slice(0, 1) }));
  return { plan: { ...plan, ...layouts, files, fileColumns, compression: null }, copies: [...sample.copies, ...copies] };
}

type TextPlan = CsvReadPlan | JsonReadPlan | TextReadPlan;

interface PreparedBeginning {
  readonly needs: TextNeeds;
  readonly spool: Spool;
}

/** Text forms that the reader accepts without conversion. */
export interface TextNeeds {
  /** Null: by the byte order mark, else UTF-8. */
  readonly encoding: string | null;
  /** The engine skips a byte order mark. */
  readonly takesMark: boolean;
  /** The engine decompresses. */
  readonly takesCompression: boolean;
}

/** Prepares text files. Files that the engine cannot read are copied as plain UTF-8. */
export function prepareText(seen: readonly SeenFile[], needs: TextNeeds, spool: Spool): PreparedFiles {
  const compressions = new Set(seen.map(({ look }) => look.compression));
  const [compression = null] = compressions;
  const isRefused = compressions.size > 1 || (compression !== null && !needs.takesCompression);
  const areCopied = seen.map(
    ({ look }) => isRefused || encodingOf(needs.encoding, look) !== 'utf-8' || (look.mark !== null && !needs.takesMark),
  );
  // The engine takes one compression for all files, and copies have none.
  const isAllOrNone = compressions.size > 1 || compression !== null;
  const isCopied = (i: number): boolean => areCopied[i] === true || (isAllOrNone && areCopied.includes(true));
  const copies: Copy[] = [];
  const files = seen.map(({ found, look }, i): ReadFile => {
    if (!isCopied(i)) return readFile(found);
    const encoding = encodingOf(needs.encoding, look);
    const copy: Copy = {
      key: `text ${encoding} ${found.identity}`,
      pieces: (signal) => decodeText({ path: found.path, compression: look.compression, encoding }, signal),
    };
    copies.push(copy);
    return { ...readFile(found), path: spool.pathOf(copy) };
  });
  return { files, copies: [...fetched(seen), ...copies], compression: copies.length > 0 ? null : compression };
}

const UTF8: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'ascii', 'us-ascii']);

/** Returns the encoding of a file; UTF-8 by any name is `utf-8`. */
export function encodingOf(told: string | null, look: LookedFile): string {
  const encoding = told ?? look.mark ?? 'utf-8';
  return UTF8.has(encoding) ? 'utf-8' : encoding;
}

/** Files as their bytes, decompressed. */
export function prepareBytes(seen: readonly SeenFile[], spool: Spool): PreparedFiles {
  const copies: Copy[] = [];
  const files = seen.map(({ found, look }): ReadFile => {
    if (look.compression === null) return readFile(found);
    const copy: Copy = { key: `bytes ${found.identity}`, pieces: (signal) => readBytes(found.path, look.compression, signal) };
    copies.push(copy);
    return { ...readFile(found), path: spool.pathOf(copy) };
  });
  return { files, copies: [...fetched(seen), ...copies], compression: null };
}

/** Returns the copies that are prerequisites of others. */
export function fetched(seen: readonly SeenFile[]): readonly Copy[] {
  return seen.flatMap(({ found }) => found.copy ?? []);
}

function readFile({ path, location, isBeginning = false }: SourceFile): ReadFile {
  return isBeginning ? { path, location, isBeginning } : { path, location };
}
