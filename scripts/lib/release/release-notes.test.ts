import { moveUnreleased, parseRelease } from './release-notes.ts';

test('what is unreleased moves under the version, and an empty heading stays', () => {
  const before = '# Changelog\n\n## Unreleased\n\n### Added\n- a\n\n## 0.1.0 (2026-01-01)\n\n- b\n';
  expect(moveUnreleased(before, '0.2.0', '2026-02-03')).toEqual({
    changelog: '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-02-03)\n\n### Added\n- a\n\n## 0.1.0 (2026-01-01)\n\n- b\n',
    notes: '### Added\n- a',
  });
  expect(() => moveUnreleased('## Unreleased\n\n## 0.1.0\n- b\n', '0.2.0', '2026-02-03')).toThrow('lists nothing under "Unreleased"');
});

test('a release is newer than the version before it', () => {
  expect(['0.2.0', '1.0.0', '0.1.10'].map((version) => parseRelease(version, '0.1.9'))).toEqual(['0.2.0', '1.0.0', '0.1.10']);
  for (const version of ['0.1.9', '0.1.8', '0.0.10']) expect(() => parseRelease(version, '0.1.9')).toThrow('is not newer than 0.1.9');
  for (const version of [undefined, '1', 'v1.0.0', '1.0.0-rc.1']) expect(() => parseRelease(version, '0.1.9')).toThrow('is missing');
});
