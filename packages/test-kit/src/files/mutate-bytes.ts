import type { Random } from '../random.ts';

/** Returns bytes changed in some places: flipped, cut off, doubled, or set to a value that is often special. */
export function mutateBytes(bytes: Buffer, random: Random): Buffer {
  let mutated = Buffer.from(bytes);
  for (let changes = random.below(5); changes > 0; changes -= 1) {
    const at = random.below(mutated.length + 1);
    const length = 1 + random.below(random.below(4) === 0 ? 2000 : 8);
    switch (random.below(5)) {
      case 0:
        mutated = mutated.subarray(0, at);
        break;
      case 1:
        mutated = Buffer.concat([mutated.subarray(0, at), mutated.subarray(at, at + length), mutated.subarray(at)]);
        break;
      case 2:
        mutated.fill(random.pick([0, 0xff, 0x7f, 0x80, 0x22, 0x2c, 0x0a]), at, Math.min(at + length, mutated.length));
        break;
      default:
        if (at < mutated.length) mutated[at] = random.below(256);
    }
  }
  return mutated;
}
