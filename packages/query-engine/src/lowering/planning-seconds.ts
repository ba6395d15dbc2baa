/** What of a statement takes the engine long to plan. */
export type Burden = 'nested' | 'queries' | 'joins' | 'sets' | 'levels' | 'lists';

/** The seconds of one processor that each burden takes. */
export type PlanningSeconds = Readonly<Record<Burden, number>>;

/** Measured, and right to a factor of about two: what the engine does for so many of its like. */
const SECONDS = {
  /** A query within so many others of expressions: what is around it is planned again at each level. */
  nested: (depth: number) => 1.8e-5 * 2 ** depth,
  /** Queries within expressions: each is a join beside all that were before. */
  queries: (count: number) => 9e-8 * count ** 3,
  /** What is said for many of them, in characters. */
  text: (count: number, length: number) => (count < 50 ? 0 : 3.5e-6 * length),
  /** Joins of one FROM, and those that a WHERE puts in order. */
  joins: (count: number) => 8e-7 * count ** 3,
  ordered: (count: number) => 1.7e-7 * count ** 4,
  /** EXCEPT and INTERSECT, one after the other. */
  sets: (count: number) => 1.5e-7 * count ** 3,
  /** A query from which others select in so many levels. */
  level: (depth: number) => 2e-8 * depth ** 2,
  /** A function of lists that is an argument of so many others. */
  list: (depth: number) => 3e-7 * depth ** 2,
} as const;

/** In a statement with fewer queries and functions of lists nothing takes long. */
const FEW = 60;

const TOKEN =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|\b(?:FROM|(?:(?:CROSS|LEFT|RIGHT|FULL) )?JOIN|MATERIALIZED) \(SELECT\b|\(SELECT\b|\blist_\w+\(|[()[\]]|\b(?:(?:CROSS|LEFT|RIGHT|FULL) )?JOIN\b|\bWHERE\b|\b(?:EXCEPT|INTERSECT|UNION(?: ALL)?)\b/g;

/** What stands between two brackets, and around them. */
interface Frame {
  readonly isTable: boolean;
  /** Of queries within expressions, of queries in FROM, of functions of lists. */
  readonly queries: number;
  readonly levels: number;
  readonly lists: number;
  joins: number;
  crosses: number;
  isFiltered: boolean;
  sets: number;
}

const open = (around: Pick<Frame, 'isTable' | 'queries' | 'levels' | 'lists'>): Frame => ({
  ...around,
  joins: 0,
  crosses: 0,
  isFiltered: false,
  sets: 0,
});

/** Estimates how long the engine plans a statement by what stands in it, which may be much longer than the program. */
export function planningSeconds(sql: string): PlanningSeconds {
  const seconds = { nested: 0, queries: 0, joins: 0, sets: 0, levels: 0, lists: 0 };
  if (isShort(sql)) return seconds;
  const frames: Frame[] = [];
  let frame = open({ isTable: false, queries: 0, levels: 0, lists: 0 });
  let queries = 0;
  const settle = (): void => {
    seconds.joins += SECONDS.joins(frame.joins) + (frame.isFiltered ? SECONDS.ordered(frame.crosses) : 0);
    Object.assign(frame, { joins: 0, crosses: 0, isFiltered: false });
  };
  const noteJoin = (token: string): void => {
    const isCross = token.startsWith('CROSS');
    frame.joins += isCross ? 1 / 3 : token.startsWith('JOIN') ? 1 : 2 / 3;
    if (isCross) frame.crosses += 1;
  };
  const enter = (inside: Partial<Frame>): void => {
    frames.push(frame);
    frame = open({ ...frame, isTable: false, ...inside });
  };
  const leave = (): void => {
    const { isTable, sets } = frame;
    if (sets > 0 || !isTable) settle();
    if (!isTable) seconds.sets += SECONDS.sets(sets);
    const { joins, crosses, isFiltered } = frame;
    frame = frames.pop() ?? frame;
    frame.joins += joins;
    frame.crosses += crosses;
    frame.isFiltered ||= isFiltered;
    if (isTable) frame.sets += sets;
  };
  for (const [token] of sql.matchAll(TOKEN)) {
    if (token === ')' || token === ']') leave();
    else if (token === '(SELECT') {
      queries += 1;
      seconds.nested += SECONDS.nested(frame.queries + 1);
      enter({ queries: frame.queries + 1, levels: 0, lists: 0 });
    } else if (token.endsWith('(SELECT')) {
      if (token.includes('JOIN')) noteJoin(token);
      seconds.levels += SECONDS.level(frame.levels + 1);
      enter({ isTable: true, levels: frame.levels + 1, lists: 0 });
    } else if (token.startsWith('list_')) {
      seconds.lists += SECONDS.list(frame.lists + 1);
      enter({ lists: frame.lists + 1 });
    } else if (token === '(' || token === '[') enter({});
    else if (token.endsWith('JOIN')) noteJoin(token);
    else if (token === 'WHERE') frame.isFiltered = true;
    else if (/^[A-Z]/.test(token)) {
      settle();
      if (!token.startsWith('UNION')) frame.sets += 1;
    }
  }
  leave();
  return { ...seconds, queries: SECONDS.queries(queries) + SECONDS.text(queries, sql.length) };
}

function isShort(sql: string): boolean {
  let found = 0;
  for (const word of ['SELECT ', 'list_'])
    for (let at = sql.indexOf(word); at >= 0 && found < FEW; at = sql.indexOf(word, at + 1)) found += 1;
  return found < FEW;
}
