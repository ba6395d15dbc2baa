/** Name of the aggregate that collects values: of a row, it represents `*` as a group. */
export const COLLECT = 'COLLECT';
