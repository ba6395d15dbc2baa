/** `npm run bench -- pushdown`: queries that need little of a large file, each beside the query that reads all of it. */
import { createBenchRuntime } from './bench-runtime.ts';
import { EVENT_ROWS, LARGE_ROWS, makeData } from './benchmark-data.ts';
import type { Row } from './table.ts';
import { median, printTable } from './table.ts';

const RUNS = 5;
const THREADS = 2;
const CSV = 'READ("file:flights.csv")';
const PARQUET = 'READ("file:flights.parquet")';
const JSON_LINES = 'READ("file:events.json")';

/** Each uses every column once and returns one row, so that reading dominates. */
const ALL_OF_CSV = `SELECT MAX(id) AS a, MAX(day) AS b, MAX(origin) AS c, MAX(destination) AS d, MAX(delay) AS e, MAX(distance) AS f, MAX(price) AS g FROM ${CSV}`;
const ALL_OF_PARQUET = ALL_OF_CSV.replace(CSV, PARQUET);
const ALL_OF_JSON = `SELECT MAX(e.id) AS a, MAX(e.user) AS b, MAX(e.country) AS c, MAX(e.device.version) AS d, SUM(LEN(e.items)) AS f FROM ${JSON_LINES} e`;

interface Pair {
  readonly name: string;
  readonly part: string;
  readonly all: string;
  /** Share of the time of reading all. */
  readonly ratio: number;
}

const PAIRS: readonly Pair[] = [
  { name: 'one column of seven, CSV', part: `SELECT SUM(delay) FROM ${CSV}`, all: ALL_OF_CSV, ratio: 0.8 },
  { name: 'one column of seven, Parquet', part: `SELECT SUM(delay) FROM ${PARQUET}`, all: ALL_OF_PARQUET, ratio: 0.3 },
  { name: 'one member of five, JSON', part: `SELECT MAX(e.id) FROM ${JSON_LINES} e`, all: ALL_OF_JSON, ratio: 0.8 },
  { name: 'one row group by a filter, Parquet', part: `${ALL_OF_PARQUET} WHERE id = 1200000`, all: ALL_OF_PARQUET, ratio: 0.3 },
  { name: 'LIMIT 10, CSV', part: `SELECT * FROM ${CSV} LIMIT 10`, all: ALL_OF_CSV, ratio: 0.3 },
  { name: 'LIMIT 10, Parquet', part: `SELECT * FROM ${PARQUET} LIMIT 10`, all: ALL_OF_PARQUET, ratio: 0.3 },
  { name: 'LIMIT 10, JSON', part: `SELECT * FROM ${JSON_LINES} LIMIT 10`, all: ALL_OF_JSON, ratio: 0.3 },
  {
    name: 'LIMIT 10 of a nested query, CSV',
    part: `SELECT * FROM (SELECT id, delay * 2 AS late FROM ${CSV}) LIMIT 10`,
    all: ALL_OF_CSV,
    ratio: 0.3,
  },
];

await makeData();
const { drain, close } = await createBenchRuntime({ threads: THREADS });
try {
  const rows: Row[] = [];
  for (const pair of PAIRS) rows.push(await measure(pair));
  console.log(
    `\n${LARGE_ROWS} flights (CSV, Parquet), ${EVENT_ROWS} events (JSON); CPU time, medians of ${RUNS}; floor: all of the file\n`,
  );
  printTable(rows);
} finally {
  await close();
}

async function measure({ name, part, all, ratio }: Pair): Promise<Row> {
  const times: { readonly part: number[]; readonly all: number[] } = { part: [], all: [] };
  for (let run = -2; run < RUNS; run += 1) {
    const [little, much] = [await cpuMillis(part), await cpuMillis(all)];
    if (run < 0) continue; // the first ones find out types
    times.part.push(little);
    times.all.push(much);
  }
  return { name, ours: median(times.part), floor: median(times.all), unit: 'ms', target: { kind: 'at-most', ratio } };
}

/** Returns the process's CPU time of a query: independent of other load on the machine. */
async function cpuMillis(text: string): Promise<number> {
  const before = process.cpuUsage();
  await drain(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
