import { AsyncLocalStorage } from 'node:async_hooks';

import { ROOT_CONTEXT, type Context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';

/** The SDK's context manager over a storage to which channels of `node:diagnostics_channel` can be bound; the SDK's own is private. */
export class StorageContexts extends AsyncLocalStorageContextManager {
  readonly storage = new AsyncLocalStorage<Context>();

  override active(): Context {
    return this.storage.getStore() ?? ROOT_CONTEXT;
  }

  override with<Args extends unknown[], Run extends (...args: Args) => ReturnType<Run>>(
    context: Context,
    run: Run,
    thisArg?: ThisParameterType<Run>,
    ...args: Args
  ): ReturnType<Run> {
    return this.storage.run(context, () => run.apply(thisArg, args));
  }
}
