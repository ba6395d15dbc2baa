/**
 * Takes hold of each thing, in their order, so many at once; all of them stay until the answer is called. Fails as the first of them fails,
 * and holds none then.
 */
export async function holdAll<T>(things: Iterable<T>, hold: (thing: T) => Promise<() => void>, atOnce = 1): Promise<() => void> {
  const releases: (() => void)[] = [];
  const releaseAll = (): void => {
    for (const release of releases.splice(0)) release();
  };
  const all = [...things];
  for (let first = 0; first < all.length; first += atOnce) {
    const settled = await Promise.allSettled(all.slice(first, first + atOnce).map(hold));
    releases.push(...settled.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])));
    const failed = settled.find((one) => one.status === 'rejected');
    if (failed === undefined) continue;
    releaseAll();
    throw failed.reason;
  }
  return releaseAll;
}
