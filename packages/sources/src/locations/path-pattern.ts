/** Whether a part of a path holds `*` or `?`. */
export function isPattern(segment: string): boolean {
  return /[*?]/.test(segment);
}

/** The test of one part of a path: `*` is any characters, `?` one; a name that begins with a dot must be named so. */
export function matchSegment(pattern: string): (name: string) => boolean {
  const source = [...pattern]
    .map((character) => (character === '*' ? '.*' : character === '?' ? '.' : escapeCharacter(character)))
    .join('');
  const expression = new RegExp(`^${source}$`, 'su');
  return (name) => expression.test(name) && (pattern.startsWith('.') || !name.startsWith('.'));
}

function escapeCharacter(character: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}
