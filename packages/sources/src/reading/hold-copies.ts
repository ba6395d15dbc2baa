import type { Copy, Spool } from '../spool/spool.ts';
import { holdAll } from './hold-all.ts';
import type { SourceFile } from './source-file.ts';

/** How many objects of one read are fetched at the same time. */
const FETCHED_AT_ONCE = 8;

/** Makes copies: what lies elsewhere is fetched side by side, what is made of it, or of what lies here, one after the other. */
export async function holdCopies(
  copies: readonly Copy[],
  { files, spool, signal }: { readonly files: readonly SourceFile[]; readonly spool: Spool; readonly signal: AbortSignal },
): Promise<() => void> {
  const hold = async (copy: Copy): Promise<() => void> => spool.hold(copy, signal);
  const elsewhere = new Set(files.flatMap(({ copy }) => copy?.key ?? []));
  const fetched = copies.filter(({ key }) => elsewhere.has(key));
  const made = copies.filter(({ key }) => !elsewhere.has(key));
  return holdAll([() => holdAll(fetched, hold, FETCHED_AT_ONCE), () => holdAll(made, hold)], (step) => step());
}
