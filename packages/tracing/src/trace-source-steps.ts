import { tracingChannel } from 'node:diagnostics_channel';

import { SpanStatusCode, trace, type Span, type Tracer } from '@opentelemetry/api';

import type { StorageContexts } from './storage-contexts.ts';

/** As published by `sources`. */
interface SourceStep {
  readonly step: string;
  readonly scheme?: string | undefined;
}

/** Creates a span for each step that `sources` publishes; work within it, including drivers, is nested below that span. */
export function traceSourceSteps(tracer: Tracer, contexts: StorageContexts): void {
  const spans = new WeakMap<object, Span>();
  const steps = tracingChannel<unknown, SourceStep>('svc:source');
  steps.start.bindStore(contexts.storage, (published) => {
    const { step, scheme } = published as SourceStep; // of the one publisher
    const span = tracer.startSpan(`source ${step}`, { attributes: scheme === undefined ? {} : { 'svc.source.scheme': scheme } });
    spans.set(published as object, span);
    return trace.setSpan(contexts.active(), span);
  });
  steps.subscribe({
    start: () => undefined,
    end: () => undefined,
    asyncStart: () => undefined,
    asyncEnd: (published) => spans.get(published)?.end(),
    error: (published) => void spans.get(published)?.setStatus({ code: SpanStatusCode.ERROR }),
  });
}
