import type { Plan } from './plan.ts';
import { isLeftOut, isSamePlan } from './same-plan.ts';

/** Index of plans by what they compute. A hash lookup instead of pairwise comparison, which takes minutes for thousands of plans. */
export class PlanIndex<Known> {
  readonly #kinds = new Set<Plan['kind']>();
  readonly #known = new Map<number, { readonly plan: Plan; readonly known: Known }[]>();

  /** Adds a plan. If an equal plan was added before, `find` returns the earlier entry. */
  add(plan: Plan, known: Known): void {
    this.#kinds.add(plan.kind);
    const print = fingerprint(plan);
    const alike = this.#known.get(print);
    if (alike === undefined) this.#known.set(print, [{ plan, known }]);
    else alike.push({ plan, known });
  }

  /** Returns the entry of an equal plan. */
  find(plan: Plan): Known | undefined {
    if (!this.#kinds.has(plan.kind)) return undefined;
    return this.#known.get(fingerprint(plan))?.find((other) => isSamePlan(other.plan, plan))?.known;
  }
}

/** Fingerprints are cached: plans are immutable, and a search over all parts of a plan needs the same ones again. */
const printed = new WeakMap<object, number>();
const MOST_CHARACTERS = 200;

/** A number that is the same for plans that are the same; of others hardly ever. */
function fingerprint(part: unknown): number {
  if (typeof part !== 'object' || part === null) return ofText(`${typeof part} ${String(part)}`);
  const known = printed.get(part);
  if (known !== undefined) return known;
  const found = Array.isArray(part) ? ofMembers(part) : ofProperties(part);
  printed.set(part, found);
  return found;
}

function ofMembers(members: readonly unknown[]): number {
  return members.reduce((sum: number, member) => (Math.imul(sum, 31) + fingerprint(member)) | 0, members.length);
}

/** Independent of the order of properties. */
function ofProperties(part: object): number {
  let sum = 1;
  for (const [name, value] of Object.entries(part))
    if (value !== undefined && !isLeftOut(name, value)) sum = (sum + Math.imul(ofText(name), fingerprint(value) | 1)) | 0;
  return sum;
}

function ofText(text: string): number {
  let sum = text.length;
  for (let i = 0; i < Math.min(text.length, MOST_CHARACTERS); i += 1) sum = (Math.imul(sum, 31) + text.charCodeAt(i)) | 0;
  return sum;
}
