import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { explainClause } from './clauses.ts';
import { explainConstruct } from './constructs.ts';
import type { Fault } from './fault.ts';
import { explainKeyword } from './keywords.ts';
import { explainPunctuation } from './punctuation.ts';
import { explainSign } from './signs.ts';
import { explainStatement } from './statements.ts';

/** Explanations, most specific first. */
const EXPLANATIONS: readonly ((fault: Fault) => Diagnostic | null)[] = [
  explainStatement,
  explainSign,
  explainConstruct,
  explainKeyword,
  explainClause,
  explainPunctuation,
];

/**
 * Returns the diagnostic of an unexpected token: the mistake that its context indicates, else the expected tokens. Called
 * for invalid texts only.
 */
export function explainFault(fault: Fault, plain: Diagnostic): Diagnostic {
  for (const explain of EXPLANATIONS) {
    const explained = explain(fault);
    if (explained !== null) return explained;
  }
  return plain;
}
