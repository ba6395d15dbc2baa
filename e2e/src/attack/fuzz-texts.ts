import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Random } from '@svc/test-kit';

const PROJECT = join(import.meta.dirname, '../../..');

/** Texts that are near a limit, or have a meaning somewhere. */
const ODD: readonly [string, ...string[]] = [
  ...['', ' ', '\0', '\u{feff}', '\u{1F600}', '\ud800', '%', '%zz', '%00', "'", '"', '`', '\\', ';', '--', '/*', '*/', '$1', '{}', '[]'],
  ...['0', '-1', '9223372036854775807', '9223372036854775808', '1e400', '-0.0', 'NaN', '1e-400', '.5', '0x10', '1_000'],
  ...['NULL', 'TRUE', 'SELECT', 'FROM', 'NOW()', 'ERROR("a")', '[1][9]', '(a: 1)', 'CAST(NULL AS any)', 'constructor', '__proto__'],
  ...[
    'date "2024-02-30"',
    'interval "1 day"',
    'timestamp "x"',
    '\\x -> x',
    'GROUP BY 1',
    'OVER ()',
    'UNION ALL',
    'AS regex',
    '..',
    '../..',
  ],
] as [string, ...string[]];

/** Programs of the documentation and of the golden cases, which are good or nearly so. */
export function readPrograms(): readonly [string, ...string[]] {
  const language = [...read('docs/language.md').matchAll(/```query\n([^]*?)```/g)].map(([, text = '']) => text);
  const examples = [...read('docs/functions.md').matchAll(/`([^`\n]+)` → /g)].map(([, text = '']) => text.replaceAll('\\|', '|'));
  const folder = 'packages/query-engine/src/cases';
  const cases = readdirSync(join(PROJECT, folder))
    .filter((name) => name.endsWith('.cases'))
    .flatMap((name) => [...read(`${folder}/${name}`).matchAll(/^----- query\n([^]*?)(?=^-----|(?![^]))/gm)].map(([, text = '']) => text));
  return ['1', ...language, ...examples, ...cases];
}

function read(path: string): string {
  return readFileSync(join(PROJECT, path), 'utf8');
}

/** A text changed in some places: pieces dropped, doubled, swapped, or replaced by odd ones. */
export function mutateText(text: string, random: Random): string {
  let mutated = text;
  for (let changes = 1 + random.below(4); changes > 0; changes -= 1) mutated = changeText(mutated, random);
  return mutated;
}

function changeText(text: string, random: Random): string {
  const from = random.below(text.length + 1);
  const to = Math.min(text.length, from + random.below(12));
  const [before, piece, after] = [text.slice(0, from), text.slice(from, to), text.slice(to)];
  switch (random.below(6)) {
    case 0:
      return before + after;
    case 1:
      return before + piece.repeat(1 + random.below(random.below(20) === 0 ? 5000 : 4)) + after;
    case 2:
      return `${before}${random.pick(ODD)}${piece}${after}`;
    case 3:
      return `${before}${random.pick(ODD)}${after}`;
    case 4:
      return before + [...piece].toReversed().join('') + after;
    default: {
      const depth = random.below(random.below(20) === 0 ? 400 : 5);
      return `${before}${'('.repeat(depth)}${piece}${')'.repeat(depth)}${after}`;
    }
  }
}

/** Returns a random odd text for a name or a number. */
export function oddText(random: Random): string {
  const long = random.below(12) === 0 ? random.pick(['a', '0', '*', '[', '\u00e9', ' ']).repeat(1 + random.below(20_000)) : '';
  return random.pick(ODD) + (random.below(3) === 0 ? random.pick(ODD) : '') + long;
}
