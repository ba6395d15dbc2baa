/** The record that a sealed secret belongs to. A sealed secret opens for exactly this record. */
export interface RecordBinding {
  /** Owner of the record: a subject or namespace. */
  readonly owner: string;
  /** The kind of record, one per sealed column: `bucket`, `api-key`. */
  readonly kind: string;
  readonly name: string;
}

/**
 * Encodes a binding, with the purpose of the encryption, as associated data. Each part follows its length, so that no two
 * bindings have the same encoding.
 */
export function encodeBinding(purpose: string, { owner, kind, name }: RecordBinding): Buffer {
  const parts = [purpose, owner, kind, name].flatMap((text) => {
    const bytes = Buffer.from(text, 'utf8');
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return [length, bytes];
  });
  return Buffer.concat(parts);
}
