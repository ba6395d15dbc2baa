import type { CredentialKind } from '@svc/database';
import { ServiceError } from '@svc/errors';

import { SealedRecordError } from '../envelope/sealed-record-error.ts';

const SHOWN_KINDS: ReadonlyMap<string, string> = new Map<CredentialKind, string>([
  ['objbucket', 'bucket'],
  ['rdbmsserver', 'database server'],
  ['filehost-token', 'file host token'],
  ['http-credential', 'HTTP prefix'],
]);

/** A record that does not open is the operator's matter; its owner learns which one it is. Anything else as it is. */
export function explainUnreadable(thrown: unknown): unknown {
  if (!(thrown instanceof SealedRecordError)) return thrown;
  const { kind, name } = thrown.binding;
  const which = [SHOWN_KINDS.get(kind) ?? kind, ...(name === '' ? [] : [JSON.stringify(name)])].join(' ');
  return new ServiceError(
    'credentials_unreadable',
    `The stored credentials of the ${which} cannot be decrypted. Delete them and register them again.`,
    { cause: thrown },
  );
}
