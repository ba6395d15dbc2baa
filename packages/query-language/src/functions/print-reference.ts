import type { FunctionDefinition } from './function-definition.ts';
import { ownValue } from '../own-value.ts';

/** Title and introduction of each family. */
const FAMILIES: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  conversion: {
    title: 'Conversion',
    text: `Templates are constant texts with the letters of Java's \`DateTimeFormatter\`: \`y\` \`yy\` \`yyyy\`, \`M\` \`MM\` \`MMM\` \`MMMM\`, \`d\` \`dd\`, \`D\` \`DDD\`
(day of the year), \`E\` \`EEEE\`, \`a\` (AM or PM), \`H\` \`HH\`, \`h\` \`hh\`, \`m\` \`mm\`, \`s\` \`ss\`, \`SSS\` \`SSSSSS\`; \`'text'\` stands for itself. Names are English,
two-digit years are 20xx, reading is strict: an impossible date, a missing digit or a blank too many is an error.`,
  },
  value: {
    title: 'NULL, choices, errors and the environment',
    text: 'Only the argument that is chosen is evaluated, and only it can fail.',
  },
  string: {
    title: 'Texts and regular expressions',
    text: 'Positions and lengths count code points, from 1. Regular expressions are those of RE2; `r"…"` is one.',
  },
  binary: { title: 'Bytes', text: 'Bytes are printed in base64.' },
  temporal: { title: 'Dates, times, timestamps and intervals', text: 'Timestamps have no zone; NOW and TODAY are in UTC.' },
  math: {
    title: 'Numbers',
    text: 'Functions of double take every number, decimals too, and follow IEEE 754: outside their domain they are NaN or infinite, which JSON prints as null. Overflow of an integer is an error.',
  },
  collection: {
    title: 'Collections',
    text: 'Positions count from 0. No call makes more than 10,000,000 elements or characters, nor more than 100,000 for each row, 10,000 for each element of a collection: declare what rows share. What a program makes longer and longer, by `||`, `++`, REPLACE, MKSTRING and their like, ends at 64 MB, 1 MB for each row, 64 kB for each element; in a program of many such parts each may make less.',
  },
  record: { title: 'Records and JSON', text: 'What works on records of any shape.' },
  aggregate: {
    title: 'Aggregates',
    text: `Over the rows of the nearest SELECT or its group; where the argument is a SELECT, \`*\` or (outside a SELECT) any collection, over its elements.
\`DISTINCT\` and \`ORDER BY\` may stand inside, \`FILTER (WHERE …)\` and \`OVER (…)\` behind.`,
  },
  window: {
    title: 'Windows',
    text: 'With `OVER ([PARTITION BY …] [ORDER BY …] [ROWS BETWEEN … AND …])`, in items and ORDER BY; over the groups where there is GROUP BY. The aggregates may stand there too.',
  },
};

/** The reference of all functions as Markdown, family by family. */
export function printReference(definitions: readonly FunctionDefinition[]): string {
  const families = [...new Set(definitions.map(({ family }) => family))];
  return [
    '# Functions',
    '',
    '<!-- Printed from the records of the functions by `npx pnpm docs:functions`: change those. -->',
    '',
    'Names are written in any case. Arguments go by position or by name (`LPAD("7", 3, fill := "0")`); those with `:=` may be left out.',
    'T, U and V stand for any type, K for one whose values can be compared, N for a number, I for an integer, M for date or timestamp,',
    'R for a record or `any`; `…` says that the last argument may be repeated.',
    '',
    families.map((family) => `[${titleOf(family)}](#${anchorOf(titleOf(family))})`).join(' · '),
    ...families.flatMap((family) => [
      '',
      `## ${titleOf(family)}`,
      '',
      ownValue(FAMILIES, family)?.text ?? '',
      '',
      '| Function | What it does | NULL | Examples |',
      '| --- | --- | --- | --- |',
      ...definitions.filter((definition) => definition.family === family).map(printRow),
    ]),
    '',
  ].join('\n');
}

function titleOf(family: string): string {
  const found = ownValue(FAMILIES, family);
  if (found === undefined) throw new Error(`the family ${family} has no title`);
  return found.title;
}

/** Converts a heading to its anchor, as GitHub does. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

function printRow({ name, aliases, overloads, summary, nulls, examples }: FunctionDefinition): string {
  const signatures = overloads.map(({ id }) => code(`${name}${id}`)).join('<br>');
  const shown = examples.map(({ query, result }) => `${code(query)} → ${code(result)}`).join('<br>');
  const others = aliases.length === 0 ? '' : `<br>also ${aliases.map(code).join(', ')}`;
  return `| ${signatures}${others} | ${summary.replaceAll('|', '\\|')} | ${nulls} | ${shown} |`;
}

function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}
