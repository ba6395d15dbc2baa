import { tracingChannel } from 'node:diagnostics_channel';

/** A step of reading a source: finding out its type, its identity, or fetching it. */
export interface SourceStep {
  readonly step: 'resolve' | 'identify' | 'fetch';
  /** Scheme of the location, such as `s3`, if known. Never the location, which may contain callers' data. */
  readonly scheme?: string | undefined;
}

/** Traces subscribe to this channel. Publishing costs nothing without a subscriber. */
const STEPS = tracingChannel<unknown, SourceStep>('svc:source');

/** Runs a step, and publishes its begin and end on the channel `svc:source`. */
export async function publishStep<Result>(step: SourceStep, run: () => Promise<Result>): Promise<Result> {
  return STEPS.hasSubscribers ? STEPS.tracePromise(run, step) : run();
}

/** Returns the scheme of a location without the rest. */
export function schemeOf(location: string): string | undefined {
  return /^[a-z][a-z0-9+]{0,15}(?=:)/i.exec(location)?.[0].toLowerCase();
}
