import { isPattern, matchSegment, plainSegments } from './path-pattern.ts';

/** Returns a predicate for the path segments after the literal prefix of a pattern. `**` matches any number of folders. */
export function matchSegments(written: readonly string[]): (names: readonly string[]) => boolean {
  const segments = plainSegments(written);
  const tests = segments.map((segment) =>
    segment === '**' ? null : isPattern(segment) ? matchSegment(segment) : (name: string) => name === segment,
  );
  return (names) => {
    let positions = open(new Set([0]), segments);
    names.forEach((name, i) => {
      const next = new Set<number>();
      for (const position of positions)
        if (segments[position] === '**') {
          if (i < names.length - 1 && !name.startsWith('.')) next.add(position);
        } else if (tests[position]?.(name) === true) next.add(position + 1);
      positions = open(next, segments);
    });
    return positions.has(segments.length);
  };
}

/** The positions, and those that stand behind a `**` which matches no folder. */
function open(positions: Set<number>, segments: readonly string[]): ReadonlySet<number> {
  for (const position of positions) if (segments[position] === '**') positions.add(position + 1); // a set iterates over what is added
  return positions;
}
