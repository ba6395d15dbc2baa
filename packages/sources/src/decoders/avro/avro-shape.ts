import type { Type } from '@svc/query-language';

import type { AvroBytes } from './avro-bytes.ts';
import type { JsonLines } from '../json-lines.ts';

/** How values of a schema are read: their type, and what writes the next value as JSON of it. */
export interface AvroShape {
  readonly type: Type;
  /** Nothing of a value is held but its text, which has a limit. Fails with an EngineFailure. */
  readonly write: (bytes: AvroBytes, to: JsonLines) => void;
}
