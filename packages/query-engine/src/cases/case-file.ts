/** A golden case: a program and its visible outcome. */
export interface GoldenCase {
  readonly name: string;
  /** The paragraphs of the language that it shows, as `§5.group`. */
  readonly paragraphs: readonly string[];
  /** Arguments of a program that ends in a function, in URL form: `city=Lyon&n=5`. */
  readonly query: string;
  readonly text: string;
  readonly expected: string;
}

/** A file of cases: the text before the first one, and the cases. */
export interface CaseFile {
  readonly head: string;
  readonly cases: readonly GoldenCase[];
}

/**
 * Parses a file of cases. Each begins with `## name §paragraph …`, optionally a line `?name=value&…`, then the program,
 * `-->`, and the expected outcome up to the next case. Throws at a case with a repeated name or without a program.
 */
export function readCaseFile(text: string): CaseFile {
  const [head = '', ...blocks] = text.split(/^## /m);
  const cases = blocks.map(readCase);
  const names = new Set<string>();
  for (const { name } of cases) {
    if (names.has(name)) throw new Error(`two cases are named ${name}`);
    names.add(name);
  }
  return { head, cases };
}

function readCase(block: string): GoldenCase {
  const end = block.indexOf('\n');
  const words = block.slice(0, end).trim().split(/\s+/);
  const name = words.filter((word) => !word.startsWith('§')).join(' ');
  const [before = '', ...after] = block.slice(end + 1).split(/^-->$/m);
  const body = before.trim();
  const hasQuery = body.startsWith('?');
  const program = hasQuery ? body.slice(body.indexOf('\n') + 1) : body;
  if (name === '' || program === '') throw new Error(`a case has no name or no program: ${block}`);
  return {
    name,
    paragraphs: words.filter((word) => word.startsWith('§')),
    query: hasQuery ? body.slice(1, body.indexOf('\n')) : '',
    text: program,
    expected: after.join('-->').trim(),
  };
}

/** Prints a file of cases; parsing it returns the same cases. */
export function printCaseFile({ head, cases }: CaseFile): string {
  const printed = cases.map(({ name, paragraphs, query, text, expected }) =>
    [`## ${[name, ...paragraphs].join(' ')}`, ...(query === '' ? [] : [`?${query}`]), text, '-->', expected].join('\n'),
  );
  return [head.trimEnd(), ...printed].filter((part) => part !== '').join('\n\n') + '\n';
}
