import { Turn } from './turn.ts';

/** What each thing becomes, in their order. Other work of the process gets its turns meanwhile, however many they are. */
export async function mapInTurns<Thing, Made>(things: Iterable<Thing>, make: (thing: Thing) => Made): Promise<Made[]> {
  const made: Made[] = [];
  const turn = new Turn();
  for (const thing of things) {
    made.push(make(thing));
    if (turn.isOver) await turn.next();
  }
  return made;
}
