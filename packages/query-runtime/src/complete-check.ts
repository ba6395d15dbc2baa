import type { CatalogAnswers, CatalogReader, CatalogTable } from '@svc/catalog';
import type { EngineLease } from '@svc/query-engine';
import type { CheckEnvironment, NameAnswer, Need, PackageAnswer, ReadAnswer, ReadNeed, TextAnswer } from '@svc/query-language';
import { inferXmlText, type QueryReading, type ResolvedRead, type Sources, type UnreadableSource } from '@svc/sources';
import { inferPlainText } from '@svc/text-formats';

import type { OnText } from './text-limit.ts';

/** Resolvers of a check's needs. */
export interface CheckWorld {
  readonly sources: Pick<Sources, 'resolve'>;
  /** The caller on whose behalf sources are read. */
  readonly reading: QueryReading;
  /** Namespace in which names are resolved. */
  readonly namespace: string;
  /** Null if nothing is stored: then no name denotes a view, a table or a package. */
  readonly catalog: Pick<CatalogReader, 'answer'> | null;
  readonly lease: () => Promise<EngineLease>;
  readonly signal: AbortSignal;
  /** See OnText; it may throw to stop the check. */
  readonly onText?: OnText | undefined;
}

/** The READs of a check, by key. */
export type ResolvedReads = ReadonlyMap<string, { readonly need: ReadNeed; readonly read: ResolvedRead | UnreadableSource }>;
type MutableReads = Map<string, { readonly need: ReadNeed; readonly read: ResolvedRead | UnreadableSource }>;

/** A completed check with all data it looked up. */
export interface CompleteCheck<Result> {
  readonly result: Result;
  readonly reads: ResolvedReads;
  readonly tables: ReadonlyMap<string, CatalogTable>;
  /** Version of the namespace of all resolved names; null if there are none. */
  readonly catalogVersion: number | null;
}

/** Maximum number of rounds of needs: each resolves at least one new one. */
const MAX_ROUNDS = 100;
/** Maximum number of restarts of a check because the namespace changed meanwhile. */
const MAX_STARTS = 10;

/** Checks, and resolves needs, until there are none. All names are of one version of the namespace. */
export async function completeCheck<Result extends { readonly needs: readonly Need[] }>(
  world: CheckWorld,
  check: (environment: CheckEnvironment) => Result,
): Promise<CompleteCheck<Result>> {
  const reads: MutableReads = new Map();
  for (let start = 1; ; start += 1) {
    const found = await checkAtOneVersion(world, check, { reads, isLast: start === MAX_STARTS });
    if (found !== null) return found;
  }
}

/** Returns null if the namespace changed between two rounds. */
async function checkAtOneVersion<Result extends { readonly needs: readonly Need[] }>(
  world: CheckWorld,
  check: (environment: CheckEnvironment) => Result,
  { reads, isLast }: { readonly reads: MutableReads; readonly isLast: boolean },
): Promise<CompleteCheck<Result> | null> {
  const names = new Map<string, NameAnswer>();
  const packages = new Map<string, PackageAnswer>();
  const tables = new Map<string, CatalogTable>();
  const inferText = rememberTexts();
  let catalogVersion: number | null = null;
  const environment: CheckEnvironment = {
    findRead: (need): ReadAnswer | undefined => reads.get(need.key)?.read,
    findName: (need) => (world.catalog === null ? { kind: 'nothing', candidates: [] } : names.get(need.key)),
    findPackage: (need) => (world.catalog === null ? { kind: 'nothing', candidates: [] } : packages.get(need.key)),
    inferText,
  };
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    world.signal.throwIfAborted();
    const result = check(environment);
    if (result.needs.length === 0) return { result, reads, tables, catalogVersion };
    const [answers] = await Promise.all([answerNames(world, result.needs), answerReads(world, result.needs, reads)]);
    if (answers === null) continue;
    // Under continuous changes the last attempt accepts what it gets, and is of the older version: it is not reused.
    if (catalogVersion !== null && answers.version !== catalogVersion && !isLast) return null;
    catalogVersion ??= answers.version;
    for (const [key, answer] of answers.names) names.set(key, withinLimit(answer, world));
    for (const [key, answer] of answers.packages) packages.set(key, withinLimit(answer, world));
    for (const [name, table] of answers.tables) tables.set(name, table);
  }
  throw new Error(`the check asked for more ${MAX_ROUNDS} times`);
}

/** The text of a view or a package counts like the program itself. */
function withinLimit<Answer extends NameAnswer | PackageAnswer>(answer: Answer, { onText }: CheckWorld): Answer {
  if ('text' in answer) onText?.(answer.text);
  return answer;
}

async function answerNames({ catalog, namespace }: CheckWorld, needs: readonly Need[]): Promise<CatalogAnswers | null> {
  const asked = needs.filter((need) => need.kind !== 'read');
  return asked.length === 0 || catalog === null ? null : catalog.answer(namespace, asked);
}

/** In sequence: an engine reads one source at a time, and a query has one engine. */
async function answerReads({ sources, reading, lease, signal }: CheckWorld, needs: readonly Need[], reads: MutableReads): Promise<void> {
  for (const need of needs) {
    if (need.kind === 'read') reads.set(need.key, { need, read: await sources.resolve(need, { reading, lease, signal }) });
  }
}

/** Caches the types of constant texts: each is inferred once, however often the check meets it. */
function rememberTexts(): CheckEnvironment['inferText'] {
  const known = new Map<string, TextAnswer>();
  return (format, text) => {
    const key = `${format} ${text}`;
    const answer = known.get(key) ?? (format === 'xml' ? inferXmlText(text) : inferPlainText(format, text));
    known.set(key, answer);
    return answer;
  };
}
