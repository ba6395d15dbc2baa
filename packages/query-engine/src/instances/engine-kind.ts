/**
 * Kind of an engine.
 * - `wide`: any statement, with all threads.
 * - `narrow`: cheap statements, for which waking further threads costs more than it saves, and files. It has one thread.
 */
export type EngineKind = 'wide' | 'narrow';
