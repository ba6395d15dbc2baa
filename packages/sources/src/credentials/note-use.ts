import { SourceFailure } from '../transports/source-failure.ts';
import type { CredentialLookup, CredentialUse } from './credential-lookup.ts';

/** Runs `use`, which accesses another system with a credential, and records whether the credential was accepted. */
export async function noteUse<Found>(
  credentials: Pick<CredentialLookup, 'used'>,
  credential: Omit<CredentialUse, 'error'>,
  use: () => Promise<Found>,
): Promise<Found> {
  try {
    const found = await use();
    credentials.used({ ...credential, error: null });
    return found;
  } catch (thrown) {
    if (thrown instanceof SourceFailure && thrown.failure === 'authentication') credentials.used({ ...credential, error: thrown.message });
    throw thrown;
  }
}
