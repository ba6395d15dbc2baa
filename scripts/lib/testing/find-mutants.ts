import { parseSync } from 'oxc-parser';

/** A small change of a source: `text` replaces the range from `start` to `end`; null removes a statement. */
export interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string | null;
  /** The condition that alone decides whether the change has an effect: it has none unless the condition is `when`. */
  readonly decidedBy?: { readonly start: number; readonly end: number; readonly when: boolean };
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

const OPERATORS: Readonly<Record<string, string>> = {
  ...{ '===': '!==', '!==': '===', '<': '<=', '<=': '<', '>': '>=', '>=': '>' },
  ...{ '+': '-', '-': '+', '*': '/', '/': '*', '%': '*', '&&': '||', '||': '&&', '??': '&&' },
};
const METHODS: Readonly<Record<string, string>> = { some: 'every', every: 'some', toSorted: 'slice', toReversed: 'slice' };

/**
 * Returns all changes of a source, outer ones before inner ones. Excluded is what no program can show: `throw new Error(…)`
 * and its condition, which only an internal fault reaches; comparisons with undefined, and constants after `??` or as
 * defaults of `[a = 0]`, which the types require although the index is in range; and the default of an exhaustive switch.
 */
export function findChanges(fileName: string, source: string): readonly Change[] {
  const { program, errors } = parseSync(fileName, source);
  if (errors.length > 0) throw new Error(`${fileName} cannot be parsed`);
  const changes: Change[] = [];
  const textOf = (node: Node): string => source.slice(node.start, node.end);
  const visit = (node: Node, parent: Node | null): void => {
    if (isLeftAlone(node, parent)) return;
    const { test } = node;
    const decided = (when: boolean): Pick<Change, 'decidedBy'> =>
      isNode(test) && isPure(test) ? { decidedBy: { start: test.start, end: test.end, when } } : {};
    for (const text of alternatives(node, textOf)) changes.push({ start: node.start, end: node.end, text });
    if (node.type === 'ConditionalExpression')
      for (const [branch, when] of [
        [node['consequent'], false],
        [node['alternate'], true],
      ] as const)
        if (isNode(branch)) changes.push({ start: node.start, end: node.end, text: textOf(branch), ...decided(when) });
    if (node.type === 'IfStatement' && isNode(test))
      for (const value of [true, false]) changes.push({ start: test.start, end: test.end, text: String(value), ...decided(!value) });
    for (const child of childrenOf(node)) visit(child, node);
  };
  visit(program as unknown as Node, null);
  return changes;
}

/** Returns the replacements of a node. */
function alternatives(node: Node, textOf: (node: Node) => string): readonly (string | null)[] {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression': {
      if ([node['left'], node['right']].some((side) => isNode(side) && textOf(side) === 'undefined')) return [];
      const operator = OPERATORS[String(node['operator'])];
      return operator === undefined || !isNode(node['left']) || !isNode(node['right'])
        ? []
        : [`(${textOf(node['left'])}) ${operator} (${textOf(node['right'])})`];
    }
    case 'UnaryExpression':
      return node['operator'] === '!' && isNode(node['argument']) ? [textOf(node['argument'])] : [];
    case 'Literal':
      return literalAlternatives(node['value']);
    case 'TemplateLiteral':
      return ['""'];
    case 'ArrayExpression':
      return Array.isArray(node['elements']) && node['elements'].length > 0 ? ['[]'] : [];
    case 'CallExpression':
      return callAlternatives(node, textOf);
    case 'ExpressionStatement':
      return [null];
    default:
      return [];
  }
}

function literalAlternatives(value: unknown): readonly string[] {
  if (typeof value === 'boolean') return [String(!value)];
  if (typeof value === 'number') return [String(value + 1)];
  return typeof value === 'string' ? [value === '' ? '"mutant"' : '""'] : [];
}

function callAlternatives(node: Node, textOf: (node: Node) => string): readonly string[] {
  const callee = node['callee'];
  if (!isNode(callee) || callee.type !== 'MemberExpression' || callee['optional'] === true) return [];
  const [object, property] = [callee['object'], callee['property']];
  if (!isNode(object) || !isNode(property)) return [];
  if (textOf(property) === 'filter') return [textOf(object)];
  const other = METHODS[textOf(property)];
  if (other === undefined) return [];
  return [`${textOf(object)}.${other}${other === 'slice' ? '()' : textOf(node).slice(callee.end - node.start)}`];
}

/** Calls without side effects, by name: `isFaulty(…)`, `keys.has(…)`. */
const TELLING = /^(is[A-Z]\w*|are[A-Z]\w*|mayBeNull|canFail|some|every|includes|has|get|startsWith|endsWith|test|at|find|findIndex)$/;

/** Returns whether evaluating an expression has no side effect. */
function isPure(node: Node): boolean {
  if (node.type === 'CallExpression') {
    const { callee } = node;
    const name = isNode(callee) && callee.type === 'MemberExpression' ? callee['property'] : callee;
    if (!isNode(name) || !TELLING.test(String(name['name']))) return false;
  }
  return !/^(Assignment|Update|Await|Yield|New|Import)Expression$/.test(node.type) && childrenOf(node).every(isPure);
}

function isLeftAlone(node: Node, parent: Node | null): boolean {
  if (node.type === 'ChainExpression' || node.type === 'ImportDeclaration' || node.type === 'TaggedTemplateExpression') return true;
  if (node.type.startsWith('TS') && !/^TS(As|Satisfies|NonNull|Instantiation)Expression$/.test(node.type)) return true;
  if (parent?.['key'] === node && parent['computed'] !== true) return true;
  if (parent?.type === 'LogicalExpression' && parent['operator'] === '??' && parent['right'] === node) return isConstant(node);
  if (parent?.type === 'ArrayPattern' && node.type === 'AssignmentPattern') return isNode(node['right']) && isConstant(node['right']);
  if (node.type === 'SwitchCase' && node['test'] === null) return true;
  return (node.type === 'IfStatement' && isInvariant(node['consequent'])) || isInvariant(node);
}

/** Returns whether a node is a literal, or an array or object of literals. */
function isConstant(node: Node): boolean {
  return node.type === 'Literal' || (/^(Array|Object)Expression$|^Property$/.test(node.type) && valuesOf(node).every(isConstant));
}

function valuesOf(node: Node): readonly Node[] {
  return node.type === 'Property' ? [node['value']].filter(isNode) : childrenOf(node);
}

/** Returns whether a node is `throw new Error(…)`, which no caller can reach. */
function isInvariant(node: unknown): boolean {
  if (!isNode(node) || node.type !== 'ThrowStatement' || !isNode(node['argument'])) return false;
  const callee = node['argument']['callee'];
  return node['argument'].type === 'NewExpression' && isNode(callee) && callee['name'] === 'Error';
}

function childrenOf(node: Node): readonly Node[] {
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'typeAnnotation' || key === 'typeArguments' || key === 'typeParameters' || key === 'returnType'
      ? []
      : Array.isArray(value)
        ? value.filter(isNode)
        : isNode(value)
          ? [value]
          : [],
  );
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value && typeof value.type === 'string';
}
