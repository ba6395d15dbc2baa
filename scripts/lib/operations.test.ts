import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { parse } from 'yaml';

import { PROJECT } from './project.js';

const METRIC = /\b(?:svc|process|nodejs)_[a-z0-9_]+/g;

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}

async function read(path: string): Promise<string> {
  return readFile(join(PROJECT, path), 'utf8');
}

async function readRules(): Promise<readonly Rule[]> {
  const { groups } = parse(await read('deploy/monitoring/alerts.yaml')) as {
    readonly groups: readonly { readonly rules: readonly Rule[] }[];
  };
  return groups.flatMap(({ rules }) => rules);
}

async function listedMetrics(): Promise<ReadonlySet<string>> {
  const page = await read('docs/operations.md');
  return new Set([...page.matchAll(/^\| `(svc_\w+)` \|/gm)].map(([, name = '']) => name));
}

/** Returns the metrics of the product in an expression; the series of a histogram count as the histogram. */
function metricsOf(expression: string): readonly string[] {
  const names = [...expression.matchAll(METRIC)].map(([name]) => name.replace(/_(?:bucket|sum|count)$/, ''));
  return names.filter((name) => name.startsWith('svc_'));
}

test('each alert has a runbook, which its annotation names, and each runbook an alert', async () => {
  const rules = await readRules();
  const [, runbooks = ''] = (await read('docs/operations.md')).split('\n## Runbooks\n');
  const headings = [...(runbooks.split('\n## ')[0] ?? '').matchAll(/^### (\w+)$/gm)].map(([, heading = '']) => heading);

  expect(rules.map(({ alert }) => alert).toSorted()).toEqual(headings.toSorted());
  for (const { alert, annotations } of rules) expect(annotations['runbook']).toBe(`docs/operations.md#${alert.toLowerCase()}`);
});

test('alerts and dashboard name metrics that are listed, and the dashboard shows all of them', async () => {
  const listed = await listedMetrics();
  const { panels } = JSON.parse(await read('deploy/monitoring/dashboard.json')) as {
    readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
  };
  const shown = panels.flatMap(({ targets }) => targets).flatMap(({ expr }) => metricsOf(expr));
  const watched = (await readRules()).flatMap(({ expr }) => metricsOf(expr));

  expect(new Set(shown)).toEqual(listed);
  expect(watched.filter((name) => !listed.has(name))).toEqual([]);
});

test('what git ignores, secrets among it, is not sent to the build of an image', async () => {
  const bare = (text: string): readonly string[] =>
    text
      .split('\n')
      .map((line) => line.replace(/^\*\*\//, '').replace(/\/$/, ''))
      .filter((line) => line !== '' && !line.startsWith('#'));
  const sent = bare(await read('.gitignore')).filter((name) => !name.startsWith('bench/'));
  expect(bare(await read('.dockerignore'))).toEqual(expect.arrayContaining([...sent]));
});
