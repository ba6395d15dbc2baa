export { decimalText } from './decimal.ts';
export type { QueryOutcome, ProgramRunner } from './query-outcome.ts';
export { runRandom, type RandomOutcome } from './run-random.ts';
export { typeText, type RecordShape, type Shape } from './shape.ts';
export { shrink } from './shrink.ts';
export { DATA_TABLES, type DataTable } from './tables.ts';
export { randomNumbers } from './tape.ts';
export { intervalText, momentText } from './temporal.ts';
export { inOrder, type Value } from './value.ts';
