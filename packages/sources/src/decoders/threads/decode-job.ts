import type { ReadFailureClass } from '@svc/text-formats';

import type { AvroLinesJob, AvroType, AvroTypeJob } from '../avro/decode-avro.ts';
import type { ExcelLinesJob, ExcelLookJob, SheetLook } from '../excel/decode-excel.ts';
import type { JsonMisfitJob, JsonShapeFound, JsonShapeJob } from '../json-jobs.ts';
import type { XmlLinesJob, XmlType, XmlTypeJob } from '../xml/decode-xml.ts';

/** Jobs of decoding threads, with their results besides the chunks that they yield. */
export interface DecodeJobs {
  readonly 'xml-type': { readonly job: XmlTypeJob; readonly found: XmlType };
  readonly 'xml-lines': { readonly job: XmlLinesJob; readonly found: void };
  readonly 'excel-look': { readonly job: ExcelLookJob; readonly found: SheetLook };
  readonly 'excel-lines': { readonly job: ExcelLinesJob; readonly found: void };
  readonly 'avro-type': { readonly job: AvroTypeJob; readonly found: AvroType };
  readonly 'json-shape': { readonly job: JsonShapeJob; readonly found: JsonShapeFound };
  readonly 'json-misfit': { readonly job: JsonMisfitJob; readonly found: string | null };
  readonly 'avro-lines': { readonly job: AvroLinesJob; readonly found: void };
}

/** Messages to a thread: a job, of plain data, a request for another chunk, or the end of the job. */
export type ToThread =
  | { readonly kind: 'job'; readonly name: keyof DecodeJobs; readonly job: unknown }
  | { readonly kind: 'more' }
  | { readonly kind: 'stop' };

/** Messages of a thread; the last one of a job says how large the heap of the thread has become. */
export type FromThread = { readonly kind: 'piece'; readonly bytes: Uint8Array } | (Outcome & { readonly heapBytes: number });

/** The end of a job. */
export type Outcome =
  | { readonly kind: 'end'; readonly found: unknown }
  | { readonly kind: 'failed'; readonly failureClass: ReadFailureClass; readonly message: string; readonly sourcePath?: string }
  | { readonly kind: 'broken'; readonly reason: string };
