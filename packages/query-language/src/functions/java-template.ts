/** The fields that a template can have, by their letters as Java's DateTimeFormatter reads them. */
const TEMPLATE_FIELDS = [
  ...['y', 'yy', 'yyyy', 'M', 'MM', 'MMM', 'MMMM', 'd', 'dd', 'D', 'DDD', 'E', 'EE', 'EEE', 'EEEE'],
  ...['a', 'H', 'HH', 'h', 'hh', 'm', 'mm', 's', 'ss', 'SSS', 'SSSSSS'],
] as const;

/** Field of a template, denoted by a letter. */
export type TemplateField = (typeof TEMPLATE_FIELDS)[number];

/** The letters, for messages. */
const LETTERS = 'y M d D E a H h m s S';
const DATE_LETTERS = 'yMdDE';

/** A part of a template: fixed text, or a field. */
export type TemplatePiece = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'field'; readonly letters: TemplateField };

/** Parses a template: letters are fields, `'text'` and other characters are literal, `''` is a quote. */
export function readTemplate(template: string): { readonly pieces: readonly TemplatePiece[] } | { readonly problem: string } {
  const pieces: TemplatePiece[] = [];
  for (const match of template.matchAll(/([A-Za-z])\1*|'((?:[^']|'')*)'|([^A-Za-z'])|(')/gu)) {
    const [whole, letter, quoted] = match;
    if (match[4] !== undefined) return { problem: `the template '${template}' has a quote that is not closed` };
    if (letter === undefined)
      pieces.push({ kind: 'text', text: quoted === undefined ? whole : quoted === '' ? "'" : quoted.replaceAll("''", "'") });
    else if (isField(whole)) pieces.push({ kind: 'field', letters: whole });
    else return { problem: unknownField(template, whole, letter) };
  }
  return { pieces };
}

function isField(letters: string): letters is TemplateField {
  return (TEMPLATE_FIELDS as readonly string[]).includes(letters);
}

function unknownField(template: string, letters: string, letter: string): string {
  const forms = TEMPLATE_FIELDS.filter((field) => field.startsWith(letter));
  if (forms.length === 0) return `the template '${template}' has ${letters}, which is no field: expected letters of ${LETTERS}`;
  return `the template '${template}' has ${letters}: expected ${forms.join(', ')}`;
}

/** Use of a template: parsing a text of a type, or formatting a value of it. */
export interface TemplateUse {
  readonly type: 'date' | 'time' | 'timestamp';
  readonly isReading: boolean;
}

/** Returns why a template cannot be used, or null: fields that the type lacks, or a text that does not determine the whole value. */
export function templateProblem(template: string, use: TemplateUse): string | null {
  const problem = ownProblem(template, use);
  if (problem === null) return null;
  const meant = [asJavaTemplate(template), template.replaceAll('mm', 'MM')].find(
    (other) => other !== template && ownProblem(other, use) === null,
  );
  return meant === undefined ? problem : `${problem}; did you mean '${meant}'?`;
}

/** Fields of PostgreSQL's and strftime's templates with their equivalents here; longer ones before their prefixes. */
const OTHER_FIELDS: readonly (readonly [other: string, ours: string])[] = [
  ['YYYY', 'yyyy'],
  ['YY', 'yy'],
  ['DDD', 'DDD'],
  ['DD', 'dd'],
  ['HH24', 'HH'],
  ['HH12', 'hh'],
  ['MI', 'mm'],
  ['MS', 'SSS'],
  ['US', 'SSSSSS'],
  ['SS', 'ss'],
  ['Month', 'MMMM'],
  ['Mon', 'MMM'],
  ['Day', 'EEEE'],
  ['Dy', 'EEE'],
  ['AM', 'a'],
  ['PM', 'a'],
  ['%Y', 'yyyy'],
  ['%y', 'yy'],
  ['%m', 'MM'],
  ['%d', 'dd'],
  ['%H', 'HH'],
  ['%I', 'hh'],
  ['%M', 'mm'],
  ['%S', 'ss'],
  ['%f', 'SSSSSS'],
  ['%p', 'a'],
  ['%b', 'MMM'],
  ['%B', 'MMMM'],
  ['%a', 'EEE'],
  ['%A', 'EEEE'],
  ['%j', 'DDD'],
];

const OTHER_FIELD = new RegExp(OTHER_FIELDS.map(([other]) => other).join('|'), 'g');

function asJavaTemplate(template: string): string {
  return template.replace(OTHER_FIELD, (field) => OTHER_FIELDS.find(([other]) => other === field)?.[1] ?? field);
}

function ownProblem(template: string, use: TemplateUse): string | null {
  const read = readTemplate(template);
  if ('problem' in read) return read.problem;
  const fields = read.pieces.flatMap((piece) => (piece.kind === 'field' ? [piece.letters] : []));
  const problem = use.isReading ? readingProblem(fields, use.type) : printingProblem(fields, use.type);
  return problem === null ? null : `the template '${template}' ${problem}`;
}

function printingProblem(fields: readonly string[], type: TemplateUse['type']): string | null {
  if (type === 'timestamp') return null;
  const stranger = fields.find((letters) => isOfDate(letters) !== (type === 'date'));
  return stranger === undefined ? null : `has ${stranger}, which a ${type} does not have`;
}

function isOfDate(letters: string): boolean {
  return DATE_LETTERS.includes(letters[0] ?? '');
}

function readingProblem(fields: readonly string[], type: TemplateUse['type']): string | null {
  const letters: readonly string[] = fields.map((field) => field[0] ?? '');
  const has = (letter: string): boolean => letters.includes(letter);
  const repeated = letters.find((letter, i) => letters.indexOf(letter) !== i);
  if (repeated !== undefined) return `has ${repeated} more than once`;
  if (has('h') !== has('a')) return has('h') ? 'has h, which needs a (AM or PM)' : 'has a, which needs h';
  if (has('H') && has('h')) return 'has both H and h';
  if (has('D') && (has('M') || has('d'))) return 'has D beside M or d';
  if (type !== 'time' && !(has('y') && (has('D') || (has('M') && has('d'))))) return 'does not say the whole date: expected y, M and d';
  if (type === 'time' && !has('H') && !has('h')) return 'does not say the hour: expected H, or h and a';
  return null;
}
