import type { SpanProcessor } from '@opentelemetry/sdk-trace-node';

/** Attributes with callers' data (arguments of queries, keys in URLs), and statements. */
const TEXTS = ['url.query', 'url.full', 'http.url', 'http.target', 'db.statement', 'db.query.text', 'db.connection_string', 'db.user'];

/** Removes attributes that may hold arguments or secrets from each span, before the processors behind it export it. */
export const withoutTexts: SpanProcessor = {
  onStart: () => undefined,
  onEnd: ({ attributes }) => {
    for (const name of TEXTS) delete attributes[name];
  },
  forceFlush: async () => undefined,
  shutdown: async () => undefined,
};
