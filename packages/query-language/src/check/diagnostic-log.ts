import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { DiagnosticArguments, DiagnosticCode } from '../diagnostics/diagnostic-messages.ts';
import { createDiagnostic } from '../diagnostics/diagnostic-messages.ts';
import type { Span } from '../text/span.ts';

/** The diagnostics of one text, and the places they are reported at. */
export class DiagnosticLog {
  readonly #kept: Diagnostic[] = [];
  readonly #keys = new Set<string>();
  #depthOfTrials = 0;
  #muted = 0;
  #callSpan: Span | null = null;

  /** The diagnostics in the order in which they were reported, each once. */
  get kept(): readonly Diagnostic[] {
    return this.#kept;
  }

  /** True in a trial. Diagnostics are then counted but not kept. */
  get isTrial(): boolean {
    return this.#depthOfTrials > 0;
  }

  /** Number of diagnostics so far, including the running trial's. It increases when a part of a check reports any. */
  get count(): number {
    return this.#kept.length + this.#muted;
  }

  /** The call in this text at which everything is reported while the body of a function of another text is expanded; null outside of one. */
  get callSpan(): Span | null {
    return this.#callSpan;
  }

  /** Returns the place of a plan node in this text. */
  placeOf(span: Span): Span {
    return this.#callSpan ?? span;
  }

  /** Reports a diagnostic at one or more places, and returns the first of them. */
  add<C extends DiagnosticCode>(code: C, spans: Span | readonly Span[], ...details: DiagnosticArguments<C>): Span {
    const given = Array.isArray(spans) ? (spans as readonly Span[]) : [spans as Span];
    const places =
      this.#callSpan === null ? [...new Map(given.map((span) => [`${span.start} ${span.end}`, span])).values()] : [this.#callSpan];
    if (this.isTrial) this.#muted += 1;
    else this.keep(createDiagnostic(code, places, ...details));
    return places[0] ?? { start: 0, end: 0 };
  }

  /** Keeps a diagnostic, even in a trial, unless one with the same text exists at the same positions. */
  keep(diagnostic: Diagnostic): void {
    const key = `${diagnostic.spans.map(({ start, end }) => `${start} ${end}`).join()} ${diagnostic.message}`;
    if (!this.#keys.has(key)) this.#kept.push(diagnostic);
    this.#keys.add(key);
  }

  /** Runs a check without keeping its diagnostics. Returns null if it reported any. */
  try<T>(attempt: () => T): T | null {
    const before = this.#muted;
    this.#depthOfTrials += 1;
    try {
      const result = attempt();
      return this.#muted === before ? result : null;
    } finally {
      this.#depthOfTrials -= 1;
      this.#muted = before;
    }
  }

  /** Runs a check whose diagnostics and plans are located at a call of this text. Null locates them where they are written. */
  at<T>(callSpan: Span | null, run: () => T): T {
    const before = this.#callSpan;
    this.#callSpan = callSpan;
    try {
      return run();
    } finally {
      this.#callSpan = before;
    }
  }
}
