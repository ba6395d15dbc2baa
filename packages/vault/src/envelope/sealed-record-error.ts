import type { RecordBinding } from './binding.ts';

/** Reason why a sealed record cannot be opened. */
export type SealedRecordFault =
  /** The bytes are not in a format that this version writes. */
  | 'format'
  /** Sealed under a master key that is not configured. */
  | 'unknown-master-key'
  /** The bytes were changed, or belong to another record. */
  | 'not-authentic';

/** A sealed record that does not open. Names the record, never its content. */
export class SealedRecordError extends Error {
  readonly binding: RecordBinding;
  readonly fault: SealedRecordFault;

  constructor(binding: RecordBinding, fault: SealedRecordFault) {
    super(
      `The sealed ${binding.kind} ${JSON.stringify(binding.name)} of ${JSON.stringify(binding.owner)} does not open: ${REASONS[fault]}.`,
    );
    this.name = 'SealedRecordError';
    this.binding = binding;
    this.fault = fault;
  }
}

const REASONS: Readonly<Record<SealedRecordFault, string>> = {
  format: 'its format is unknown',
  'unknown-master-key': 'it was sealed under a master key that is not configured',
  'not-authentic': 'its bytes were changed, or belong to another record',
};
