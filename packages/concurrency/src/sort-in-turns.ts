import { mapInTurns } from './map-in-turns.ts';
import { Turn } from './turn.ts';

type Compare<Thing> = (a: Thing, b: Thing) => number;

/** Number of items sorted without a break. */
const RUN = 1000;

/** Sorts items stably, yielding to the event loop regularly. */
export async function sortInTurns<Thing>(things: readonly Thing[], compare: Compare<Thing>): Promise<readonly Thing[]> {
  let runs: readonly (readonly Thing[])[] = await mapInTurns(runsOf(things), (run) => run.sort(compare));
  while (runs.length > 1) {
    const merged: (readonly Thing[])[] = [];
    for (let i = 0; i < runs.length; i += 2) merged.push(await merge(runs[i] ?? [], runs[i + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* runsOf<Thing>(things: readonly Thing[]): Generator<Thing[]> {
  for (let i = 0; i < things.length; i += RUN) yield things.slice(i, i + RUN);
}

async function merge<Thing>(left: readonly Thing[], right: readonly Thing[], compare: Compare<Thing>): Promise<readonly Thing[]> {
  const merged: Thing[] = [];
  const turn = new Turn();
  let next = 0;
  for (const thing of left) {
    for (let other = right[next]; other !== undefined && compare(other, thing) < 0; other = right[next]) {
      merged.push(other);
      next += 1;
      if (turn.isOver) await turn.next();
    }
    merged.push(thing);
    if (turn.isOver) await turn.next();
  }
  for (; next < right.length; next += 1) merged.push(right[next] as Thing);
  return merged;
}
