import type { Plan } from '../../plan/plan.ts';
import type { NamedWindow, SelectItem } from '../../syntax/ast.ts';
import type { Span } from '../../text/span.ts';

/** The meaning of a SELECT for the expressions in it: its `*`, and whether aggregates are allowed. */
export interface SelectFrame {
  /**
   * 'sources': FROM and WHERE. 'row': items over one row. 'group': keys and aggregates. 'aggregate': inside an aggregate's argument,
   * and inside a window over rows. 'group-window': inside a window over groups.
   */
  phase: 'sources' | 'row' | 'group' | 'aggregate' | 'group-window';
  /** True with GROUP BY. Without it, the one group may be empty. */
  readonly hasKeys: boolean;
  /** The items. Their names are not visible in WHERE and ON. */
  readonly items: readonly SelectItem[];
  /** The windows of the WINDOW clause. */
  readonly windows: readonly NamedWindow[];
  /** `*`: the group as a collection in the group phases, the row in the others. */
  readonly star: (span: Span) => Plan;
}

/** Runs `check` with the SELECT in another phase. */
export function inPhase<T>(frame: SelectFrame, phase: SelectFrame['phase'], check: () => T): T {
  const before = frame.phase;
  frame.phase = phase;
  try {
    return check();
  } finally {
    frame.phase = before;
  }
}

/** Returns whether names, `*` and aggregates refer to a group, not to a row. */
export function isOverGroups(frame: SelectFrame): boolean {
  return frame.phase === 'group' || frame.phase === 'group-window';
}
