import type { CredentialKind } from '@svc/database';
import { ServiceError } from '@svc/errors';

import { SealedRecordError, type SealedRecordFault } from '../envelope/sealed-record-error.ts';

const SHOWN_KINDS: ReadonlyMap<string, string> = new Map<CredentialKind, string>([
  ['objbucket', 'bucket'],
  ['rdbmsserver', 'database server'],
  ['filehost-token', 'file host token'],
  ['http-credential', 'HTTP prefix'],
]);

/**
 * Converts a failure to decrypt a record to an error that names the record for its owner; the operator has to resolve it.
 * Returns other values unchanged.
 */
export function explainUnreadable(thrown: unknown): unknown {
  if (!(thrown instanceof SealedRecordError)) return thrown;
  const { kind, name } = thrown.binding;
  const which = [SHOWN_KINDS.get(kind) ?? kind, ...(name === '' ? [] : [JSON.stringify(name)])].join(' ');
  return new ServiceError('credentials_unreadable', `The stored credentials of the ${which} cannot be decrypted${ADVICE[thrown.fault]}`, {
    cause: thrown,
  });
}

const ANEW = '. Delete them and register them again.';
const ADVICE: Readonly<Record<SealedRecordFault, string>> = {
  // The operator can configure the right key: no data is lost.
  'unknown-master-key': ': they were stored under another master key than this service has.',
  format: ANEW,
  'not-authentic': ANEW,
};
