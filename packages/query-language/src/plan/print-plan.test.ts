import { checkProgram } from '../check/check-program.ts';
import { parseProgram } from '../syntax/parse.ts';
import { printPlan } from './print-plan.ts';

function planOf(text: string): string {
  const { tree } = parseProgram(text);
  if (tree === null) throw new Error('the program has errors of syntax');
  const nothing = { kind: 'nothing', candidates: [] } as const;
  const { plan } = checkProgram(
    tree,
    {
      findRead: () => undefined,
      findName: () => nothing,
      findPackage: () => nothing,
      inferText: () => ({ problem: 'no text is looked at here' }),
    },
    { arguments: null },
  );
  if (plan === null) throw new Error('the program has faults');
  return printPlan(plan);
}

test('a plan is printed as a tree, with what was written and no more', () => {
  expect(planOf('SELECT x * 2 AS y FROM [1, 2] AS x WHERE x > 1 ORDER BY x DESC LIMIT 1')).toBe(
    `Select itemVariable=2 order="source" : collection(record(y: int))
  sources[0].row=1
  sources[0].collection: CollectionLiteral : collection(int)
    elements[0]: Constant value="1" : int
    elements[1]: Constant value="2" : int
  sources[0].join="cross"
  where: Comparison operator=">" : bool
    left: Variable id=1 : int
    right: Constant value="1" : int
  item: RecordLiteral : record(y: int)
    values[0]: Arithmetic operator="multiply" : int
      operands[0]: Variable id=1 : int
      operands[1]: Constant value="2" : int
  orderBy[0].value: Variable id=1 : int
  orderBy[0].isDescending=true
  limit: Constant value="1" : long`,
  );
});
