/** The thread that compiles large programs, one after the other. It requests missing inputs from the event loop. */
import { parentPort } from 'node:worker_threads';

import type { CatalogAnswers } from '@svc/catalog';
import { isQueryFailure } from '@svc/errors';
import { createSourceText, type Need } from '@svc/query-language';
import { QueryReading, type ResolvedRead, type UnreadableSource } from '@svc/sources';

import { checkPackageText, checkViewText } from './check-stored.ts';
import type { FromThread, Job, Jobs, ToThread } from './compile-job.ts';
import { packQuery, packStatement, readPlan } from './compile-job.ts';
import { compile, lower } from './compile.ts';
import type { CheckWorld } from './complete-check.ts';
import { refuseTooDeep } from './refuse-too-deep.ts';

/** Resolves a pending request; those of an ended job are ignored. */
const waiting = new Map<number, (answer: unknown) => void>();
let lastAsked = 0;

function send(message: FromThread): void {
  parentPort?.postMessage(message);
}

function ask(needs: readonly Need[]): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  lastAsked += 1;
  waiting.set(lastAsked, resolve);
  send({ kind: 'ask', id: lastAsked, needs });
  return promise;
}

function worldOf(namespace: string, hasCatalog: boolean): CheckWorld {
  return {
    namespace,
    // The types of a response follow from its request: see CompileThread.
    catalog: hasCatalog ? { answer: async (_, needs) => (await ask(needs)) as CatalogAnswers } : null,
    reading: new QueryReading(''), // sources are read where the queries run
    sources: { resolve: async (need) => withoutMeans((await ask([need])) as ResolvedRead | UnreadableSource) },
    lease: notHere,
    signal: new AbortController().signal, // a job that nobody waits for any more ends with its thread
  };
}

/** Removes the functions of a read, which is not executed here. */
function withoutMeans(read: ResolvedRead | UnreadableSource): ResolvedRead | UnreadableSource {
  return 'problem' in read ? read : { ...read, hold: notHere, explain: notHere };
}

function notHere(): never {
  throw new Error('nothing is run where programs are compiled');
}

async function perform(job: Job, world: CheckWorld): Promise<Jobs[keyof Jobs]['found']> {
  switch (job.kind) {
    case 'query': {
      let lowerMillis = 0;
      const compiled = await compile({ ...world, text: job.text, arguments: job.arguments, onPlanned: (millis) => (lowerMillis = millis) });
      return refuseTooDeep(compiled.source, async () => packQuery(compiled, lowerMillis));
    }
    case 'view':
      return checkViewText(job, world);
    case 'package':
      return checkPackageText(job, world);
    case 'statement': {
      const source = createSourceText(job.text);
      return refuseTooDeep(source, async () => packStatement(lower(source, readPlan(job.plan), job)));
    }
  }
}

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'answer') {
    waiting.get(message.id)?.(message.answer);
    waiting.delete(message.id);
    return;
  }
  waiting.clear();
  send({ kind: 'begun' });
  const { job, namespace, hasCatalog } = message;
  perform(job, worldOf(namespace, hasCatalog)).then(
    (found) => send({ kind: 'found', found }),
    (thrown: unknown) =>
      send(
        isQueryFailure(thrown)
          ? { kind: 'invalid', errors: thrown.validationErrors }
          : { kind: 'failed', reason: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) },
      ),
  );
});
