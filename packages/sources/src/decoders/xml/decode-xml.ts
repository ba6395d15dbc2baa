import type { Type } from '@svc/query-language';
import { type Compression, isReadFailure } from '@svc/text-formats';

import { decodeText } from '../decode-text.ts';
import { JsonLines, linesOf } from '../json-lines.ts';
import { ofFile } from '../of-file.ts';
import { xmlWriter } from './xml-json.ts';
import type { XmlNode } from './xml-node.ts';
import type { XmlRows } from './xml-nodes.ts';
import { xmlNodes } from './xml-nodes.ts';
import { XmlShape } from './xml-shape.ts';

/** A file of XML, or its beginning. */
export interface XmlFile {
  readonly path: string;
  readonly compression: Compression | null;
  readonly encoding: string;
  readonly isBeginning: boolean;
}

/** Files whose type is inferred. */
export interface XmlTypeJob {
  readonly files: readonly XmlFile[];
  readonly rows: XmlRows;
  /** Number of elements to sample; negative for all. */
  readonly sampleSize: number;
}

/** The type of each row. */
export interface XmlType {
  readonly type: Type;
  readonly isSampled: boolean;
}

/** Finds out the type of the rows of files. Fails with a ReadFailure. */
export async function findXmlType({ files, rows, sampleSize }: XmlTypeJob, signal: AbortSignal): Promise<XmlType> {
  const shape = new XmlShape();
  let left = sampleSize < 0 ? Infinity : sampleSize;
  let isSampled = false;
  for (const file of files) {
    isSampled ||= file.isBeginning;
    const batches = nodesOf(file, rows, signal);
    for await (const nodes of file.isBeginning ? upToCut(batches) : batches) {
      for (const node of nodes) {
        if (left === 0) return { type: sampledRow(shape), isSampled: true };
        left -= 1;
        shape.add(node);
      }
    }
  }
  return { type: isSampled ? sampledRow(shape) : shape.type({ isSampled: false }), isSampled };
}

/** A file whose rows are converted to JSON. */
export interface XmlLinesJob {
  readonly file: XmlFile;
  readonly rows: XmlRows;
  readonly rowType: Type;
  /** True if the type comes from a sample: unknown members are failures. */
  readonly isClosed: boolean;
  readonly isSkipping: boolean;
  readonly maxLineBytes: number;
}

/** Writes the rows of a file as lines of JSON. Fails with a ReadFailure. */
export async function* xmlLines(job: XmlLinesJob, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
  const { file, rows, rowType, isClosed, isSkipping, maxLineBytes } = job;
  const lines = new JsonLines(maxLineBytes);
  const write = xmlWriter(rowType, { isClosed });
  const pieces = linesOf(nodesOf(file, rows, signal), lines, (node) => {
    try {
      write(node, lines);
      lines.endLine();
    } catch (thrown) {
      if (!isSkipping || !isReadFailure(thrown)) throw thrown;
      lines.dropLine();
    }
  });
  yield* ofFile(file.path, pieces);
}

function nodesOf({ path, compression, encoding }: XmlFile, rows: XmlRows, signal: AbortSignal): AsyncGenerator<readonly XmlNode[]> {
  return ofFile(path, xmlNodes(decodeText({ path, compression, encoding }, signal), rows));
}

/** Yields the elements of a truncated document. Throws if no element is complete. */
async function* upToCut(batches: AsyncIterable<readonly XmlNode[]>): AsyncGenerator<readonly XmlNode[]> {
  let isEmpty = true;
  try {
    for await (const nodes of batches) {
      isEmpty &&= nodes.length === 0;
      yield nodes;
    }
  } catch (thrown) {
    if (isEmpty || !isReadFailure(thrown) || thrown.failureClass !== 'unreadable') throw thrown;
  }
}

/**
 * Returns the type of a sampled row. As for JSON, an empty row beyond the sample is a record of NULLs: nullable records are
 * read with all their fields, whichever are used.
 */
function sampledRow(shape: XmlShape): Type {
  const type = shape.type({ isSampled: true });
  return type.kind === 'RecordType' ? { ...type, isNullable: shape.type({ isSampled: false }).isNullable } : type;
}
