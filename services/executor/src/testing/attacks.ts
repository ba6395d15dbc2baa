import { ADDRESSES } from './attacks/address-attacks.ts';
import type { Attack } from './attacks/attack.ts';
import { GROWING } from './attacks/growth-attacks.ts';
import { LOCATIONS, PATHS, SPOOL } from './attacks/path-attacks.ts';
import { SIZES } from './attacks/size-attacks.ts';
import { SMUGGLED } from './attacks/statement-attacks.ts';

/** All attacks, by target. */
export const ATTACKS: Readonly<Record<string, readonly Attack[]>> = {
  'Files outside the roots': PATHS,
  'The spool, which other namespaces use too': SPOOL,
  'Locations of the engine': LOCATIONS,
  'Addresses that only the server can reach': ADDRESSES,
  'Statements, functions and settings of the engine': SMUGGLED,
  'Data that is larger or deeper than it looks, or lies': SIZES,
  'Values that grow while they are made': GROWING,
};
