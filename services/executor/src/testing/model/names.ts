import type { Random } from '@svc/test-kit';

/** Few, so that calls interact; dissimilar, so that none is suggested for another. */
const STORED = ['alpha', 'Bravo', 'charlie', 'delta', 'echo_x'] as const;
const PACKAGES = ['geometry', 'Tools', 'units'] as const;

/** A name for a view or a table; sometimes spelt otherwise, rarely one that cannot be. */
export function storedName(random: Random): string {
  return respelt(random.pick(STORED), random);
}

/** A name for a package. */
export function packageName(random: Random): string {
  return respelt(random.pick(PACKAGES), random);
}

function respelt(name: string, random: Random): string {
  return random.below(12) === 0 ? (random.below(2) === 0 ? name.toUpperCase() : name.toLowerCase()) : name;
}
