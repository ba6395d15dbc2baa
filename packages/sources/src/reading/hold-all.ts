/**
 * Takes hold of each thing, one after the other; all of them stay until the answer is called. Fails as the first of them fails, and holds
 * none then.
 */
export async function holdAll<T>(things: Iterable<T>, hold: (thing: T) => Promise<() => void>): Promise<() => void> {
  const releases: (() => void)[] = [];
  const releaseAll = (): void => {
    for (const release of releases.splice(0)) release();
  };
  try {
    for (const thing of things) releases.push(await hold(thing));
    return releaseAll;
  } catch (thrown) {
    releaseAll();
    throw thrown;
  }
}
