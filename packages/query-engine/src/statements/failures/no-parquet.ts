import { READ_MESSAGES } from '@svc/text-formats';

/** Public message of a damaged Parquet file. */
export const NO_PARQUET = READ_MESSAGES.notOfFormat('Parquet');
