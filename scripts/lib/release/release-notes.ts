/** The changelog with the unreleased changes under a version, and that section alone. */
export interface ReleaseNotes {
  readonly changelog: string;
  readonly notes: string;
}

const UNRELEASED = '## Unreleased\n';

/** Moves the section "Unreleased" to a heading of its own. Throws an Error if there is nothing to release. */
export function moveUnreleased(changelog: string, version: string, date: string): ReleaseNotes {
  const begin = changelog.indexOf(UNRELEASED);
  if (begin === -1) throw new Error('CHANGELOG.md has no heading "## Unreleased".');
  const after = begin + UNRELEASED.length;
  const next = changelog.indexOf('\n## ', after);
  const notes = changelog.slice(after, next === -1 ? undefined : next).trim();
  if (!/^- /m.test(notes)) throw new Error('CHANGELOG.md lists nothing under "Unreleased".');
  const rest = next === -1 ? '' : changelog.slice(next);
  return { changelog: `${changelog.slice(0, after)}\n## ${version} (${date})\n\n${notes}\n${rest}`, notes };
}

/** Parses `1.2.3`, which must be newer than the current version. Throws an Error otherwise. */
export function parseRelease(text: string | undefined, current: string): string {
  const [wanted, now] = [text ?? '', current].map((version) => /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/.exec(version)?.slice(1).map(Number));
  if (wanted === undefined || now === undefined)
    throw new Error(`The version of the release is missing: npm run release -- 1.2.3 (now ${current})`);
  const first = wanted.findIndex((part, index) => part !== now[index]);
  if (first === -1 || (wanted[first] ?? 0) < (now[first] ?? 0))
    throw new Error(`${text} is not newer than ${current}, the version of package.json.`);
  return wanted.join('.');
}
