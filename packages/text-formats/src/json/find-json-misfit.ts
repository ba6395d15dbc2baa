import type { FieldType, Type } from '@svc/query-language';

import type { Compression } from '../read-bytes.ts';
import { isReadFailure } from '../read-failure.ts';
import { READ_MESSAGES } from '../read-messages.ts';
import { jsonDocuments } from './json-documents.ts';
import { MalformedJson, scanDocument } from './json-scanner.ts';
import { emptyShape } from './json-shape.ts';
import { malformedAt } from './malformed-at.ts';

/** JSON files as they were to be read. */
export interface JsonFiles {
  readonly files: readonly { readonly path: string }[];
  readonly layouts: readonly ('array' | 'newline_delimited' | 'unstructured')[];
  readonly compression: Compression | null;
  /** Type of an element, or of the document. */
  readonly rowType: Type;
  readonly isCollection: boolean;
}

/**
 * Describes where a file is not JSON, or contains a value of another kind than its type; the engine's messages are in terms
 * of its own types, and count documents differently. Null if no such fault is found.
 */
export async function findJsonMisfit(plan: JsonFiles, i: number, signal: AbortSignal): Promise<string | null> {
  const path = plan.files[i]?.path ?? '';
  const { compression, rowType, isCollection } = plan;
  const layout = plan.layouts[i];
  let element = 0;
  try {
    for await (const event of jsonDocuments({ path, compression, splitsArray: layout === 'array', signal })) {
      if (event.kind === 'ArrayBegin') continue;
      element += 1;
      try {
        if (layout === 'newline_delimited' && !event.isOnNewLine) throw new MalformedJson('expected the end of the line', 1);
        scanDocument(event.bytes, emptyShape());
      } catch (thrown) {
        if (!(thrown instanceof MalformedJson)) throw thrown;
        return (await malformedAt(event.byte + thrown.byte, { path, compression, thrown, signal })).message;
      }
      const misfit = misfitOf(JSON.parse(Buffer.from(event.bytes).toString()), rowType, '');
      if (misfit !== null) return `${isCollection ? `element ${element}: ` : ''}${misfit}`;
    }
  } catch (thrown) {
    if (isReadFailure(thrown) && (thrown.failureClass === 'json' || thrown.failureClass === 'unreadable')) return thrown.message;
    throw thrown;
  }
  return null;
}

/** Returns the kind and path of the first value that is not the expected collection or record. */
function misfitOf(value: unknown, type: Type, path: string): string | null {
  if (value === null || value === undefined) return null;
  if (type.kind === 'CollectionType') {
    if (!Array.isArray(value)) return wrongKind(value, 'a collection', path);
    return firstOf(value.entries(), ([at, element]) => misfitOf(element, type.element, `${path}[${at}]`));
  }
  if (type.kind !== 'RecordType') return null;
  if (typeof value !== 'object' || Array.isArray(value)) return wrongKind(value, 'a record', path);
  const members = value as Readonly<Record<string, unknown>>;
  return firstOf(type.fields.values(), ({ name, type: of }: FieldType) =>
    misfitOf(members[name], of, path === '' ? name : `${path}.${name}`),
  );
}

function firstOf<Part>(parts: Iterable<Part>, look: (part: Part) => string | null): string | null {
  for (const part of parts) {
    const found = look(part);
    if (found !== null) return found;
  }
  return null;
}

const SHOWN_CHARACTERS = 60;

function wrongKind(value: unknown, expected: string, path: string): string {
  const text = JSON.stringify(value);
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  return `${path === '' ? '' : `${path}: `}${READ_MESSAGES.wrongKind(expected, shown)}`;
}
