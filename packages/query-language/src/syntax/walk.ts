import type {
  Annotation,
  Argument,
  CaseBranch,
  Declaration,
  Expression,
  FieldTypeExpression,
  FrameBound,
  FunctionTypeParameter,
  GroupItem,
  Import,
  ImportedName,
  Join,
  Name,
  NamedWindow,
  OrderItem,
  Parameter,
  Program,
  RecordField,
  ReplaceItem,
  SelectItem,
  Source,
  TypeExpression,
  Window,
  WindowFrame,
} from './ast.ts';

/** Union of all nodes of the syntax tree. */
export type SyntaxNode =
  | Name
  | Program
  | Import
  | ImportedName
  | Annotation
  | Declaration
  | Parameter
  | TypeExpression
  | FieldTypeExpression
  | FunctionTypeParameter
  | Expression
  | RecordField
  | Argument
  | Window
  | NamedWindow
  | WindowFrame
  | FrameBound
  | CaseBranch
  | SelectItem
  | ReplaceItem
  | Source
  | Join
  | GroupItem
  | OrderItem;

type NodeOf<K extends SyntaxNode['kind']> = Extract<SyntaxNode, { kind: K }>;

/** The members of a node that hold nodes. */
type ChildKey<N> = { [F in keyof N]-?: NonNullable<N[F]> extends SyntaxNode | readonly SyntaxNode[] ? F : never }[keyof N];

/** All members that hold nodes, in source order where the grammar has one. The type makes the table complete. */
const CHILD_KEYS: { readonly [K in SyntaxNode['kind']]: Readonly<Record<ChildKey<NodeOf<K>>, true>> } = {
  Name: {},
  Program: { imports: true, declarations: true, result: true },
  ImportNames: { packageName: true, names: true },
  ImportPackage: { packageName: true, alias: true },
  ImportedName: { name: true, alias: true },
  Annotation: { name: true, arguments: true },
  DataDeclaration: { annotations: true, name: true, type: true, value: true },
  FunctionDeclaration: { annotations: true, name: true, parameters: true, resultType: true, body: true },
  TypeDeclaration: { name: true, type: true },
  Parameter: { name: true, type: true, defaultValue: true },

  NamedTypeExpression: { name: true },
  CollectionTypeExpression: { element: true },
  RecordTypeExpression: { fields: true },
  FieldTypeExpression: { name: true, type: true },
  FunctionTypeExpression: { parameters: true, result: true },
  FunctionTypeParameter: { name: true, type: true },

  NullLiteral: {},
  BooleanLiteral: {},
  NumberLiteral: {},
  StringLiteral: {},
  TemporalLiteral: {},
  RegexLiteral: {},
  NameExpression: { name: true },
  StarExpression: {},
  CollectionExpression: { elements: true },
  RecordExpression: { fields: true },
  RecordField: { name: true, value: true },
  FieldAccess: { target: true, field: true },
  IndexAccess: { target: true, index: true },
  CallExpression: { callee: true, arguments: true, orderBy: true, filter: true, window: true },
  Argument: { name: true, value: true },
  Window: { base: true, partitionBy: true, orderBy: true, frame: true },
  WindowFrame: { start: true, end: true },
  FrameBound: { offset: true },
  TypedCallExpression: { callee: true, arguments: true, type: true },
  UnaryExpression: { operand: true },
  BinaryExpression: { left: true, right: true },
  SetExpression: { left: true, right: true },
  OrderedChain: { operand: true, orderBy: true, limit: true, offset: true },
  InExpression: { operand: true, right: true, list: true },
  LikeExpression: { operand: true, pattern: true, escape: true },
  BetweenExpression: { operand: true, low: true, high: true },
  IsNullExpression: { operand: true },
  IsDistinctExpression: { left: true, right: true },
  AtTimeZoneExpression: { operand: true, zone: true },
  IntoExpression: { operand: true, record: true },
  ExcludeExpression: { operand: true, names: true },
  ParseAsExpression: { operand: true, regex: true, failValue: true },
  IfExpression: { condition: true, consequent: true, alternate: true },
  CaseExpression: { operand: true, branches: true, alternate: true },
  CaseBranch: { when: true, then: true },
  CastExpression: { operand: true, type: true },
  LambdaExpression: { parameters: true, resultType: true, body: true },
  BlockExpression: { declarations: true, result: true },

  SelectExpression: {
    distinctOn: true,
    items: true,
    sources: true,
    where: true,
    groupBy: true,
    having: true,
    windows: true,
    qualify: true,
    orderBy: true,
    limit: true,
    offset: true,
  },
  NamedWindow: { name: true, window: true },
  ExpressionItem: { value: true, alias: true },
  StarItem: { source: true, exclude: true, replace: true, alias: true },
  ReplaceItem: { value: true, name: true },
  Source: { join: true, collection: true, alias: true, columns: true, position: true },
  Join: { on: true, using: true },
  GroupItem: { value: true, alias: true },
  OrderItem: { value: true },
};

const KEYS_IN_ORDER: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(CHILD_KEYS).map(([kind, keys]) => [kind, Object.keys(keys)]),
);

/** The nodes directly below a node. */
export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  // The table's keys contain only nodes.
  const members = node as unknown as Readonly<Record<string, SyntaxNode | readonly SyntaxNode[] | null>>;
  const children: SyntaxNode[] = [];
  for (const key of KEYS_IN_ORDER.get(node.kind) ?? []) {
    const member = members[key] ?? null;
    if (member === null) continue;
    if ('kind' in member) children.push(member);
    else for (const child of member) children.push(child);
  }
  return children;
}
