/**
 * `npm run bench -- stream [PART …] [--small]`: a topic into a table. Parts: `throughput`, `large` (messages of 10 MB while nothing can be
 * stored), `latency`, `idle` (many streams without messages); all of them by default.
 */
import { parseArgs } from 'node:util';

import { measureIdle } from './stream/idle.ts';
import { measureLargeMessages } from './stream/large-messages.ts';
import { measureLatency } from './stream/latency.ts';
import { openStreamWorld, type StreamWorld } from './stream/stream-world.ts';
import { measureThroughput } from './stream/throughput.ts';
import { printTable, type Row } from './table.ts';

type Part = (world: StreamWorld, options: { readonly isSmall: boolean }) => Promise<readonly Row[]>;

const PARTS: Readonly<Record<string, Part>> = {
  throughput: measureThroughput,
  large: measureLargeMessages,
  latency: measureLatency,
  idle: measureIdle,
};

const { values, positionals } = parseArgs({ allowPositionals: true, options: { small: { type: 'boolean', default: false } } });
// The first is the benchmark's own name.
const wanted = positionals.slice(1);
const unknown = wanted.filter((name) => !(name in PARTS));
if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}.`);

const world = await openStreamWorld();
try {
  const rows: Row[] = [];
  for (const [name, measure] of Object.entries(PARTS))
    if (wanted.length === 0 || wanted.includes(name)) rows.push(...(await measure(world, { isSmall: values.small })));
  console.log(`\nbeside the stream: what does the same without it, or the limit\n`);
  printTable(rows);
} finally {
  await world.close();
}
process.exit();
