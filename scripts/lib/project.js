import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's directory. */
export const PROJECT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The Node that the project is pinned to, once it is installed. */
export const PINNED_NODE = join(PROJECT, 'node_modules', 'node', 'bin', 'node');

/** Compile cache of Node: halves the time of a start. */
export const COMPILE_CACHE = join(PROJECT, 'node_modules', '.cache', 'node');
