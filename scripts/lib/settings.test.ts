import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { PRODUCT_SETTING_NAMES } from '@svc/service-kit';

import { PROJECT } from './project.js';

/** Returns the settings that sources read, by the functions that describe settings. */
async function readSettings(): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for await (const path of glob('{packages,services}/*/src/**/*.ts', { cwd: PROJECT })) {
    if (path.endsWith('.test.ts') || path.includes('/testing/')) continue;
    const source = await readFile(join(PROJECT, path), 'utf8');
    for (const [, name = ''] of source.matchAll(/\b\w+Setting\(\s*'(SVC_[A-Z0-9_]+)'/g)) names.add(name);
  }
  return names;
}

async function namesOn(page: string): Promise<ReadonlySet<string>> {
  return new Set((await readFile(join(PROJECT, page), 'utf8')).match(/\bSVC_[A-Z0-9_]+\b/g));
}

test('no process warns of a setting that another one reads', async () => {
  const read = await readSettings();
  const known = new Set<string>(PRODUCT_SETTING_NAMES);
  expect(read.size).toBeGreaterThan(40);
  expect([...read].filter((name) => !known.has(name))).toEqual([]);
});

test('docs/settings.md has all settings but those of the command line, which are on its page, and no others', async () => {
  const [settings, ofCommandLine] = [await namesOn('docs/settings.md'), await namesOn('docs/cli.md')];
  expect(PRODUCT_SETTING_NAMES.filter((name) => !settings.has(name) && !ofCommandLine.has(name))).toEqual([]);
  expect([...settings].filter((name) => !(PRODUCT_SETTING_NAMES as readonly string[]).includes(name))).toEqual([]);
});
