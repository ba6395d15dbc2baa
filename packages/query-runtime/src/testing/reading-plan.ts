import type { EngineLease } from '@svc/query-engine';
import { runStatement } from '@svc/query-engine';

/** The engine's scans for a statement, from its plan. */
export interface ReadingPlan {
  readonly scans: readonly { readonly reader: string; readonly columns: readonly string[]; readonly filters: readonly string[] }[];
  /** True if it stops reading once it has the required rows. */
  readonly isStreamingLimit: boolean;
}

/** Returns the engine's plan of a statement. */
export async function readingPlanOf(lease: EngineLease, sql: string): Promise<ReadingPlan> {
  const [row] = await runStatement(lease, { sql: `EXPLAIN (FORMAT json) ${sql}`, signal: new AbortController().signal });
  const explained = row?.['explain_value'];
  return readingPlan(JSON.parse(typeof explained === 'string' ? explained : '[]') as readonly PlanNode[]);
}

interface PlanNode {
  readonly name: string;
  readonly children: readonly PlanNode[];
  readonly extra_info: Readonly<Record<string, string | readonly string[]>>;
}

function readingPlan(nodes: readonly PlanNode[]): ReadingPlan {
  const all: PlanNode[] = [];
  const visit = (node: PlanNode): void => {
    all.push(node);
    node.children.forEach(visit);
  };
  nodes.forEach(visit);
  return {
    isStreamingLimit: all.some((node) => node.name === 'STREAMING_LIMIT'),
    scans: all
      .filter((node) => node.name.startsWith('READ_'))
      .map(({ name, extra_info: info }) => ({ reader: name, columns: listOf(info['Projections']), filters: listOf(info['Filters']) })),
  };
}

function listOf(info: string | readonly string[] | undefined): readonly string[] {
  return info === undefined || info === '' ? [] : typeof info === 'string' ? [info] : info;
}
