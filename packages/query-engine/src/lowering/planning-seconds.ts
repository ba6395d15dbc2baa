/** What of a statement takes the engine long to plan. */
export type Burden = 'nested' | 'queries' | 'joins' | 'sets' | 'levels' | 'lists';

/** The seconds of one processor that each burden takes. */
export type PlanningSeconds = Readonly<Record<Burden, number>>;

/** Measured, and right to a factor of about two: what the engine does for so many of its like. */
const SECONDS = {
  /** A query within so many others of expressions: what is around it is planned again at each level. */
  nested: (depth: number) => 1.8e-5 * 2 ** depth,
  /** Queries within expressions: each is a join beside all that were before, in the plan and in what starts to run it. */
  queries: (count: number) => 4e-7 * count ** 3,
  /** What is said for many of them, in characters. */
  text: (count: number, length: number) => (count < 50 ? 0 : 3.5e-6 * length),
  /** Joins of one FROM, and those that a WHERE puts in order. */
  joins: (count: number) => 8e-7 * count ** 3,
  ordered: (count: number) => 1.7e-7 * count ** 4,
  /** EXCEPT and INTERSECT, one after the other. */
  sets: (count: number) => 1.5e-7 * count ** 3,
  /** A query from which others select in so many levels. */
  level: (depth: number) => 2e-8 * depth ** 2,
  /** A function of lists with so many others in its arguments. What reads no column is evaluated for each of them, to see whether it is NULL. */
  list: (height: number, readsColumn: boolean) => (readsColumn ? 3e-8 : 3e-7) * height ** 2,
} as const;

/** In a statement with fewer queries and functions of lists nothing takes long. */
const FEW = 60;

const TOKEN =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|\b(?:FROM|(?:(?:CROSS|LEFT|RIGHT|FULL) )?JOIN|MATERIALIZED) \(SELECT\b|\(SELECT\b|\blist_(?!extract\b)\w+\(|\b[cn]\d+\b|[()[\]]|\b(?:(?:CROSS|LEFT|RIGHT|FULL) )?JOIN\b|\bWHERE\b|\b(?:EXCEPT|INTERSECT|UNION(?: ALL)?)\b/g;

/** What stands between two brackets, and around them. */
interface Frame {
  readonly isTable: boolean;
  readonly isQuery: boolean;
  readonly isList: boolean;
  /** Of queries within expressions, of queries in FROM. */
  readonly queries: number;
  readonly levels: number;
  /** Of functions of lists within one another, and whether they read a column. */
  height: number;
  readsColumn: boolean;
  joins: number;
  crosses: number;
  isFiltered: boolean;
  sets: number;
}

const open = (around: Pick<Frame, 'queries' | 'levels'>, own: Partial<Frame>): Frame => ({
  isTable: false,
  isQuery: false,
  isList: false,
  queries: around.queries,
  levels: around.levels,
  height: 0,
  readsColumn: false,
  joins: 0,
  crosses: 0,
  isFiltered: false,
  sets: 0,
  ...own,
});

/** Estimates how long the engine plans a statement by what stands in it, which may be much longer than the program. */
export function planningSeconds(sql: string): PlanningSeconds {
  const count = new Count();
  if (!isShort(sql)) for (const [token] of sql.matchAll(TOKEN)) count.take(token);
  count.leave();
  return { ...count.seconds, queries: SECONDS.queries(count.queries) + SECONDS.text(count.queries, sql.length) };
}

/** What has been found of a statement that is read from its start. */
class Count {
  readonly seconds = { nested: 0, joins: 0, sets: 0, levels: 0, lists: 0 };
  queries = 0;
  readonly #frames: Frame[] = [];
  #frame = open({ queries: 0, levels: 0 }, {});

  take(token: string): void {
    if (token === ')' || token === ']') this.leave();
    else if (token === '(' || token === '[') this.#enter({});
    else if (token === '(SELECT') this.#enterQuery();
    else if (token.endsWith('(SELECT')) this.#enterTable(token);
    else if (token.startsWith('list_')) this.#enter({ isList: true });
    else if (/^"?[cn]\d+"?$/.test(token)) this.#frame.readsColumn = true;
    else if (token.endsWith('JOIN')) this.#join(token);
    else if (token === 'WHERE') this.#frame.isFiltered = true;
    else if (/^[A-Z]/.test(token)) this.#combine(token);
  }

  leave(): void {
    const { isTable, sets } = this.#frame;
    if (sets > 0 || !isTable) this.#settle();
    if (!isTable) this.seconds.sets += SECONDS.sets(sets);
    const { joins, crosses, isFiltered } = this.#frame;
    const around = this.#frames.pop() ?? this.#frame;
    this.#leaveLists(around);
    this.#frame = around;
    around.joins += joins;
    around.crosses += crosses;
    around.isFiltered ||= isFiltered;
    if (isTable) around.sets += sets;
  }

  #leaveLists(around: Frame): void {
    const { isList, isQuery, isTable, readsColumn } = this.#frame;
    const height = this.#frame.height + (isList ? 1 : 0);
    if (isList) this.seconds.lists += SECONDS.list(height, readsColumn);
    around.height = Math.max(around.height, isQuery || isTable ? 0 : height);
    around.readsColumn ||= readsColumn || isQuery;
  }

  #enter(inside: Partial<Frame>): void {
    this.#frames.push(this.#frame);
    this.#frame = open(this.#frame, inside);
  }

  #enterQuery(): void {
    const queries = this.#frame.queries + 1;
    this.queries += 1;
    this.seconds.nested += SECONDS.nested(queries);
    this.#enter({ isQuery: true, queries, levels: 0 });
  }

  #enterTable(token: string): void {
    const levels = this.#frame.levels + 1;
    if (token.includes('JOIN')) this.#join(token);
    this.seconds.levels += SECONDS.level(levels);
    this.#enter({ isTable: true, levels });
  }

  #join(token: string): void {
    const isCross = token.startsWith('CROSS');
    this.#frame.joins += isCross ? 1 / 3 : token.startsWith('JOIN') ? 1 : 2 / 3;
    if (isCross) this.#frame.crosses += 1;
  }

  #combine(token: string): void {
    this.#settle();
    if (!token.startsWith('UNION')) this.#frame.sets += 1;
  }

  /** Joins are put in order together up to here. */
  #settle(): void {
    const { joins, crosses, isFiltered } = this.#frame;
    this.seconds.joins += SECONDS.joins(joins) + (isFiltered ? SECONDS.ordered(crosses) : 0);
    Object.assign(this.#frame, { joins: 0, crosses: 0, isFiltered: false });
  }
}

function isShort(sql: string): boolean {
  let found = 0;
  for (const word of ['SELECT ', 'list_'])
    for (let at = sql.indexOf(word); at >= 0 && found < FEW; at = sql.indexOf(word, at + 1)) found += 1;
  return found < FEW;
}
