import type { PackageFunction, Type, Use } from '@svc/query-language';
import { checkPackage, checkProgram } from '@svc/query-language';

import { parseText, sourcesOf, typeOfFaultless } from './compile.ts';
import type { UsedSource } from './compile.ts';
import type { CheckWorld } from './complete-check.ts';
import { refuseTooDeep } from './refuse-too-deep.ts';
import { completeCheck } from './complete-check.ts';

/** A valid view or package, and the state it depends on. */
export interface CheckedText {
  readonly type: Type;
  /** Objects of the namespace that the text itself uses. */
  readonly uses: readonly Use[];
  readonly sources: readonly UsedSource[];
  readonly catalogVersion: number | null;
}

/** A package with its public functions. */
export interface CheckedPackage extends CheckedText {
  readonly functions: readonly PackageFunction[];
}

/** A text with the name that it is or will be stored under. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** Checks a view. Throws a QueryFailure with all that is wrong. */
export async function checkViewText({ name, text }: NamedText, world: CheckWorld): Promise<CheckedText> {
  const { source, tree } = parseText(text, world.onText);
  const check = await refuseTooDeep(source, () =>
    completeCheck(world, (environment) => checkProgram(tree, environment, { arguments: null, view: name })),
  );
  const { result, reads, catalogVersion } = check;
  return { type: typeOfFaultless(source, result), uses: result.uses, sources: sourcesOf(reads), catalogVersion };
}

/** Checks a whole package. Throws a QueryFailure with all errors. */
export async function checkPackageText({ name, text }: NamedText, world: CheckWorld): Promise<CheckedPackage> {
  const { source, tree } = parseText(text, world.onText);
  const { result, reads, catalogVersion } = await refuseTooDeep(source, () =>
    completeCheck(world, (environment) => checkPackage(tree, environment, { name })),
  );
  const type = typeOfFaultless(source, result);
  return { type, uses: result.uses, functions: result.functions, sources: sourcesOf(reads), catalogVersion };
}
