import type { HttpCredential } from '../../credentials/credential-lookup.ts';
import { SourceFailure } from '../source-failure.ts';
import type { AccessToken, OAuthTokens } from './oauth-tokens.ts';

/** Authentication of a request. */
export interface Proof {
  readonly credential: HttpCredential;
  readonly authorization: string;
  /** For OAuth: a rejected token can be replaced. */
  readonly token: AccessToken | null;
}

/** Creates the authentication of a credential. Fails with a SourceFailure that names the record. */
export async function prove(
  credential: HttpCredential,
  at: {
    readonly subject: string;
    readonly tokens: OAuthTokens;
    /** Was refused. */
    readonly refused: AccessToken | null;
    readonly signal: AbortSignal;
  },
): Promise<Proof> {
  const { secret } = credential;
  if (secret.type === 'basic-auth') {
    if (secret.user.includes(':'))
      throw new SourceFailure('authentication', `authentication failed: the user registered for ${credential.prefixUrl} holds a colon`);
    const pair = Buffer.from(`${secret.user}:${secret.password}`).toString('base64');
    return { credential, authorization: `Basic ${pair}`, token: null };
  }
  const token = await at.tokens.get({ ...credential, secret }, at);
  return { credential, authorization: `Bearer ${token.value}`, token };
}
