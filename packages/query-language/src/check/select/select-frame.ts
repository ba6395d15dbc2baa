import type { Plan } from '../../plan/plan.ts';
import type { NamedWindow, SelectItem } from '../../syntax/ast.ts';
import type { Span } from '../../text/span.ts';

/** What a SELECT means to the expressions in it: its `*`, and whether its aggregates may stand there. */
export interface SelectFrame {
  /**
   * 'sources': FROM and WHERE. 'row': items over one row. 'group': keys and aggregates. 'aggregate': inside an aggregate's argument,
   * and inside a window over rows. 'group-window': inside a window over groups.
   */
  phase: 'sources' | 'row' | 'group' | 'aggregate' | 'group-window';
  /** Whether GROUP BY stands there: without it the one group may be empty. */
  readonly hasKeys: boolean;
  /** The items, whose names WHERE and ON do not see. */
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

/** Whether names, `*` and aggregates see a group, not one of its rows. */
export function isOverGroups(frame: SelectFrame): boolean {
  return frame.phase === 'group' || frame.phase === 'group-window';
}
