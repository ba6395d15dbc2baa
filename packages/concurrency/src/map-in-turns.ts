import { Turn } from './turn.ts';

/** Maps items in order, yielding to the event loop regularly. */
export async function mapInTurns<Thing, Made>(things: Iterable<Thing>, make: (thing: Thing) => Made): Promise<Made[]> {
  const made: Made[] = [];
  const turn = new Turn();
  for (const thing of things) {
    made.push(make(thing));
    if (turn.isOver) await turn.next();
  }
  return made;
}
