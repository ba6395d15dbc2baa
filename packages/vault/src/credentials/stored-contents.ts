import type { CredentialKey, CredentialKind } from '@svc/database';

import type { Vault } from '../envelope/vault.ts';
import type { CredentialContents } from './credential-contents.ts';

/** Encrypts the contents of a credential, bound to its subject, kind and name. */
export function sealContents<Kind extends CredentialKind>(
  vault: Vault,
  { subject, kind, name }: CredentialKey & { readonly kind: Kind },
  contents: CredentialContents[Kind],
): Buffer {
  return vault.seal({ owner: subject, kind, name }, JSON.stringify(contents));
}

/** Decrypts the contents of a credential. Throws a SealedRecordError. */
export function openContents<Kind extends CredentialKind>(
  vault: Vault,
  { subject, kind, name, sealed }: CredentialKey & { readonly sealed: Buffer },
): CredentialContents[Kind] {
  // Authentic for this kind, so `sealContents` wrote it for this kind.
  return JSON.parse(vault.open({ owner: subject, kind, name }, sealed)) as CredentialContents[Kind];
}
