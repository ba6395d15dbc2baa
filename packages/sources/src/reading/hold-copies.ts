import { holdAll } from '@svc/concurrency';
import type { Commission } from '../decoders/threads/decode-threads.ts';
import type { Copy, Spool } from '../spool/spool.ts';
import type { SourceFile } from './source-file.ts';

/** Maximum number of objects of one read fetched concurrently. */
const FETCHED_AT_ONCE = 8;
const OPENED_AT_ONCE = 64;

/** Opens files and makes copies: remote ones are fetched concurrently, derived ones are made in sequence. */
export async function holdCopies(
  copies: readonly Copy[],
  { files, spool, signal, caller }: Commission & { readonly files: readonly SourceFile[]; readonly spool: Spool },
): Promise<() => void> {
  const hold = async (copy: Copy): Promise<() => void> => spool.hold(copy, signal, caller);
  const sources = new Set(files.flatMap(({ copy }) => copy?.key ?? []));
  const opened = copies.filter((copy) => 'file' in copy);
  const fetched = copies.filter((copy) => sources.has(copy.key) && !('file' in copy));
  const made = copies.filter(({ key }) => !sources.has(key));
  return holdAll(
    [() => holdAll(opened, hold, OPENED_AT_ONCE), () => holdAll(fetched, hold, FETCHED_AT_ONCE), () => holdAll(made, hold)],
    (step) => step(),
  );
}
