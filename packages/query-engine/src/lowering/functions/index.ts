import type { FunctionLowering } from '../lowering-types.ts';
import { BINARY_LOWERINGS } from './binary-functions.ts';
import { COLLECTION_LOWERINGS } from './collection-functions.ts';
import { CONVERSION_LOWERINGS } from './conversion-functions.ts';
import { MATH_LOWERINGS } from './math-functions.ts';
import { RECORD_LOWERINGS, TRIED_RECORD_LOWERINGS } from './record-functions.ts';
import { REGEX_LOWERINGS } from './regex-functions.ts';
import { STRING_LOWERINGS } from './string-functions.ts';
import { TEMPORAL_LOWERINGS } from './temporal-functions.ts';

/** Lowerings of scalar functions, by upper-case name. */
export const FUNCTION_LOWERINGS: Readonly<Record<string, FunctionLowering>> = {
  ...CONVERSION_LOWERINGS,
  ...STRING_LOWERINGS,
  ...REGEX_LOWERINGS,
  ...BINARY_LOWERINGS,
  ...TEMPORAL_LOWERINGS,
  ...MATH_LOWERINGS,
  ...COLLECTION_LOWERINGS,
  ...RECORD_LOWERINGS,
};

/** Lowerings of scalar functions that are NULL where they fail. */
export const TRIED_LOWERINGS = TRIED_RECORD_LOWERINGS;
