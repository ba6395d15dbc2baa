import type { FunctionLowering } from './lowering-types.ts';

/** Operators that are calls in a plan, under names that no program can call. */
export const OPERATOR_LOWERINGS: Readonly<Record<string, FunctionLowering>> = {
  'AT TIME ZONE': ([moment, zone]) => `timezone(${zone?.sql ?? 'NULL'}, CAST(${moment?.sql ?? 'NULL'} AS TIMESTAMPTZ))`,
};
