/** Returns whether a path segment contains `*` or `?`. */
export function isPattern(segment: string): boolean {
  return segment.includes('*') || segment.includes('?');
}

/** The parts of a pattern of paths; several `**` one behind the other are one. */
export function plainSegments(segments: readonly string[]): readonly string[] {
  return segments.filter((segment, i) => segment !== '**' || segments[i - 1] !== '**');
}

/**
 * Returns the matcher of a path segment: `*` matches any characters, `?` one; a leading dot must be matched explicitly.
 * Takes at most time proportional to the product of both lengths, whatever the pattern.
 */
export function matchSegment(pattern: string): (name: string) => boolean {
  const parts = [...pattern.replaceAll(/\*+/g, '*')];
  const startsWithDot = pattern.startsWith('.');
  return (name) => (startsWithDot || !name.startsWith('.')) && matches(parts, [...name]);
}

/** Backtracks to the last `*` only, which takes one more character each time: an earlier one never needs to. */
function matches(pattern: readonly string[], name: readonly string[]): boolean {
  let at = 0;
  let star = -1;
  let taken = 0;
  for (let next = 0; next < name.length;) {
    if (pattern[at] === '*') {
      star = at;
      taken = next;
      at += 1;
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === name[next])) {
      at += 1;
      next += 1;
    } else if (star >= 0) {
      taken += 1;
      next = taken;
      at = star + 1;
    } else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
