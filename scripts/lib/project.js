import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's directory. */
export const PROJECT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The Node that the project is pinned to, once it is installed. */
export const PINNED_NODE = join(PROJECT, 'node_modules', 'node', 'bin', 'node');

/** Where Node keeps what it made of our sources: a start takes half the time. */
export const COMPILE_CACHE = join(PROJECT, 'node_modules', '.cache', 'node');
