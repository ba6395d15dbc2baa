import type { EventEmitter } from 'node:events';

/**
 * Catches exceptions of an emitter's listeners, where nothing else does: an uncaught one would end the process. `within` runs each
 * emission, in a context for instance.
 */
export function catchListeners(
  emitter: EventEmitter,
  onFault: (thrown: unknown) => void,
  within: (emit: () => boolean) => boolean = (emit) => emit(),
): void {
  const emit = emitter.emit.bind(emitter);
  emitter.emit = (...event) =>
    within(() => {
      try {
        return emit(...event);
      } catch (thrown) {
        onFault(thrown);
        return true;
      }
    });
}
