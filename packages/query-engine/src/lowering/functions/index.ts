import type { FunctionLowering } from '../lowering-types.ts';

export const FUNCTION_LOWERINGS: Readonly<Record<string, FunctionLowering>> = {};
