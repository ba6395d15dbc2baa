import { Turn } from './turn.ts';

/**
 * Acquires each resource in order, up to `atOnce` concurrently; all stay until the result is called. Fails with the first
 * failure, after releasing all. Yields to the event loop regularly: what is there already is acquired without a wait.
 */
export async function holdAll<T>(things: Iterable<T>, hold: (thing: T) => Promise<() => void>, atOnce = 1): Promise<() => void> {
  const releases: (() => void)[] = [];
  const releaseAll = (): void => {
    for (const release of releases.splice(0)) release();
  };
  const all = [...things];
  const turn = new Turn();
  for (let first = 0; first < all.length; first += atOnce) {
    const settled = await Promise.allSettled(all.slice(first, first + atOnce).map(hold));
    releases.push(...settled.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])));
    const failed = settled.find((one) => one.status === 'rejected');
    if (failed === undefined) {
      if (turn.isOver) await turn.next();
      continue;
    }
    releaseAll();
    throw failed.reason;
  }
  return releaseAll;
}
