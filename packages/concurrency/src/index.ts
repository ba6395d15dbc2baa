export { anyAborted } from './any-aborted.ts';
export { holdAll } from './hold-all.ts';
export { mapAtOnce } from './map-at-once.ts';
export { mapInTurns } from './map-in-turns.ts';
export { markHandled } from './mark-handled.ts';
export { orAborted } from './or-aborted.ts';
export { Permits, type Permit } from './permits.ts';
export { sortInTurns } from './sort-in-turns.ts';
