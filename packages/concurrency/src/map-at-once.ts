import { Turn } from './turn.ts';

/** Maps items in order, up to `atOnce` of them concurrently, yielding to the event loop regularly. */
export async function mapAtOnce<Thing, Made>(
  things: readonly Thing[],
  atOnce: number,
  make: (thing: Thing, index: number) => Promise<Made>,
): Promise<Made[]> {
  const made: Made[] = [];
  const turn = new Turn();
  for (let first = 0; first < things.length; first += atOnce) {
    made.push(...(await Promise.all(things.slice(first, first + atOnce).map((thing, i) => make(thing, first + i)))));
    if (turn.isOver) await turn.next();
  }
  return made;
}
