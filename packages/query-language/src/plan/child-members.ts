import type { Plan } from './plan.ts';

/** Marks a member that is a plan, a plan or null, or a list of plans. */
const PLANS = 'plans';

/** Members of no node hold plans below these: they are types and places. */
type Opaque = 'type' | 'span' | 'rowType';

type Holds<Value> =
  NonNullable<Value> extends Plan
    ? typeof PLANS
    : NonNullable<Value> extends readonly (infer Element)[]
      ? Element extends object
        ? Holds<Element>
        : never
      : NonNullable<Value> extends object
        ? MembersOf<NonNullable<Value>> extends infer Members
          ? keyof Members extends never
            ? never
            : Members
          : never
        : never;

/** Members of an object that contain plans, each with its content. A missing member, or one without plans, is a type error. */
type MembersOf<Node> = {
  readonly [Member in keyof Node as Member extends Opaque ? never : Holds<Node[Member]> extends never ? never : Member]: Holds<
    Node[Member]
  >;
};

/** The members of each kind of node under which its direct children stand, in the order in which they are visited. */
const CHILD_MEMBERS: { readonly [Kind in Plan['kind']]: MembersOf<Extract<Plan, { readonly kind: Kind }>> } = {
  Constant: {},
  Parameter: {},
  Variable: {},
  Read: {},
  TableScan: {},
  Let: { value: PLANS, body: PLANS },
  Convert: { operand: PLANS },
  Cast: { operand: PLANS },
  Try: { operand: PLANS },
  Noted: { operand: PLANS, key: PLANS },
  Not: { operand: PLANS },
  IsNull: { operand: PLANS },
  Arithmetic: { operands: PLANS },
  Logical: { operands: PLANS },
  Coalesce: { operands: PLANS },
  SetOperation: { operands: PLANS },
  Comparison: { left: PLANS, right: PLANS },
  In: { operand: PLANS, collection: PLANS },
  Like: { operand: PLANS, pattern: PLANS, escape: PLANS },
  Case: { branches: { when: PLANS, then: PLANS }, otherwise: PLANS },
  RecordLiteral: { values: PLANS },
  Field: { target: PLANS },
  Navigate: { target: PLANS, key: PLANS },
  Element: { target: PLANS, index: PLANS },
  CollectionLiteral: { elements: PLANS },
  Call: { arguments: PLANS },
  Reduce: { collection: PLANS, start: PLANS, body: PLANS },
  Select: {
    sources: { collection: PLANS, on: PLANS },
    where: PLANS,
    having: PLANS,
    item: PLANS,
    orderBy: { value: PLANS },
    grouping: { keys: { value: PLANS } },
    limit: PLANS,
    offset: PLANS,
  },
  Aggregate: { arguments: PLANS, orderBy: { value: PLANS }, filter: PLANS },
  WindowCall: {
    arguments: PLANS,
    filter: PLANS,
    partitionBy: PLANS,
    orderBy: { value: PLANS },
    frame: { start: { offset: PLANS }, end: { offset: PLANS } },
  },
};

/** A member of a node or of an object within it: its name, and its own members if it does not contain plans directly. */
export interface ChildMember {
  readonly name: string;
  readonly within: readonly ChildMember[] | null;
}

interface Members {
  readonly [name: string]: typeof PLANS | Members;
}

const BY_KIND: ReadonlyMap<Plan['kind'], readonly ChildMember[]> = new Map(
  Object.entries(CHILD_MEMBERS).map(([kind, members]) => [kind as Plan['kind'], listOf(members)]), // its keys are the kinds
);

function listOf(members: Members): readonly ChildMember[] {
  return Object.entries(members).map(([name, within]) => ({ name, within: within === PLANS ? null : listOf(within) }));
}

/** Returns the members of a node under which its direct children stand. */
export function childMembersOf(plan: Plan): readonly ChildMember[] {
  return BY_KIND.get(plan.kind) ?? [];
}
