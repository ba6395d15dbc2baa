import type { EngineLease } from '../instances/engine-lease.ts';
import { fileList } from '../readers/file-columns.ts';
import type { ReadFile } from '../readers/read-plan.ts';
import { readingParquet } from '../statements/parquet-fault.ts';
import { runStatement } from '../statements/run-statement.ts';

/** A node of a footer's schema. */
export interface SchemaNode {
  readonly name: string;
  readonly repetition: string;
  /** Equal for values that are laid out alike, whether or not they may be missing. */
  readonly layout: string;
  /** Precision of the widest decimal in it; 0 if there is none. */
  readonly digits: number;
  /** True if the writer knew no type, since there were only NULLs. */
  readonly isUnknown: boolean;
  readonly children: readonly SchemaNode[];
}

const LAYOUT = ['type', 'type_length', 'converted_type', 'scale', 'precision', 'logical_type'] as const;

/** The schemas of the files, in their order. Fails with an EngineFailure. */
export async function parquetSchemas(lease: EngineLease, files: readonly ReadFile[], signal: AbortSignal): Promise<readonly SchemaNode[]> {
  const items = [
    'name',
    'repetition_type AS repetition',
    'coalesce(num_children, 0)::INTEGER AS children',
    'coalesce(precision, 0)::INTEGER AS digits',
    "coalesce(logical_type = 'NullType()', false) AS unknown",
    `to_json([${LAYOUT.map((column) => `"${column}"::VARCHAR`).join(', ')}])::VARCHAR AS layout`,
  ];
  const sql = `SELECT ${items.join(', ')} FROM parquet_schema(${fileList(files)})`;
  const rows = await readingParquet(lease, () => runStatement(lease, { sql, signal }));
  let at = 0;
  const readNode = (): SchemaNode => {
    const row = rows[at++];
    const count = Number(row?.['children'] ?? 0);
    const children = Array.from({ length: count }, readNode);
    const name = textOf(row?.['name'], '');
    const repetition = textOf(row?.['repetition'], 'OPTIONAL');
    const own = [name, repetition === 'REPEATED', textOf(row?.['layout'], '')].map((part) => JSON.stringify(part));
    // Those of children are JSON already: quoted again at each level, they would be twice as long with each.
    const layout = `[${[...own, ...children.map((child) => child.layout)].join(',')}]`;
    const digits = Math.max(Number(row?.['digits'] ?? 0), ...children.map((child) => child.digits));
    const isUnknown = row?.['unknown'] === true;
    return { name, repetition, digits, isUnknown, layout, children };
  };
  return files.map(readNode);
}

function textOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

/** Returns the element node of a three-level list; older writers omitted the middle level, or the list itself. */
export function elementNode(node: SchemaNode | undefined): SchemaNode | undefined {
  if (node === undefined) return undefined;
  if (node.repetition === 'REPEATED') return { ...node, repetition: 'REQUIRED' };
  const [repeated] = node.children;
  const [element] = repeated?.children ?? [];
  return repeated?.children.length === 1 && element !== undefined ? element : repeated;
}
