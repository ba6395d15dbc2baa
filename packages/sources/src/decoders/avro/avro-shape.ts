import type { Type } from '@svc/query-language';

import type { AvroBytes } from './avro-bytes.ts';
import type { JsonLines } from '../json-lines.ts';

/** The type of a schema, and the writer of its next value as JSON. */
export interface AvroShape {
  readonly type: Type;
  /** Writes the next value. Holds only a value's text, which is limited. Fails with a ReadFailure. */
  readonly write: (bytes: AvroBytes, to: JsonLines) => void;
}
