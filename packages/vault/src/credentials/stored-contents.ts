import type { CredentialKey, CredentialKind } from '@svc/database';

import type { Vault } from '../envelope/vault.ts';
import type { CredentialContents } from './credential-contents.ts';

/** Encrypts what is registered, bound to the credential's subject, kind and name. */
export function sealContents<Kind extends CredentialKind>(
  vault: Vault,
  { subject, kind, name }: CredentialKey & { readonly kind: Kind },
  contents: CredentialContents[Kind],
): Buffer {
  return vault.seal({ owner: subject, kind, name }, JSON.stringify(contents));
}

/** Decrypts what was registered. Throws a SealedRecordError. */
export function openContents<Kind extends CredentialKind>(
  vault: Vault,
  { subject, kind, name, sealed }: CredentialKey & { readonly sealed: Buffer },
): CredentialContents[Kind] {
  // Authentic for this kind, so it is what `sealContents` wrote for it.
  return JSON.parse(vault.open({ owner: subject, kind, name }, sealed)) as CredentialContents[Kind];
}
