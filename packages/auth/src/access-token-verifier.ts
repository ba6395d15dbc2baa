import { errors, jwtVerify, type FlattenedJWSInput, type JWSHeaderParameters, type JWTPayload, type JWTVerifyResult } from 'jose';
import { LRUCache } from 'lru-cache';

import { ServiceError, serviceUnavailable } from '@svc/errors';

import { refuseScope, refuseToken } from './bearer-refusal.ts';
import type { Principal } from './principal.ts';
import { SigningKeys, SigningKeysUnavailable, type SigningKeysOptions } from './signing-keys.ts';

/** The accepted issuer and audience, and required claims. */
export interface AccessTokenOptions extends SigningKeysOptions {
  /** Required value in `aud`; otherwise tokens issued for other services would be accepted. */
  readonly audience: string;
  /** The claim with the namespace. */
  readonly namespaceClaim: string;
  /** A scope that every caller must have. */
  readonly requiredScope?: string | undefined;
  /** A client that calls on behalf of others: its own tokens need no namespace. */
  readonly actingClientId?: string | undefined;
  /** Id of a client that calls on behalf of others: its own tokens need no namespace. */
  readonly cacheSize?: number;
}

/** Maximum number of cached verified tokens. */
export interface AccessTokenVerifier {
  /**
   * Throws `unauthorized` for an invalid token, `forbidden` for a valid one that is insufficient, and `service_unavailable`
   * if no key of the issuer has ever been fetched.
   */
  readonly verify: (token: string) => Promise<Principal>;
}

/** Asymmetric signatures only. Not `none`, and none whose key would be a shared secret (HS256 …). */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];

const CLOCK_TOLERANCE_SECONDS = 5;

/** Throws if audience or issuer is not configured: such a service must not start. */
export function createAccessTokenVerifier(options: AccessTokenOptions): AccessTokenVerifier {
  for (const name of ['issuer', 'audience', 'namespaceClaim'] as const) {
    if (options[name].trim() === '') throw new Error(`No ${name} is configured for access tokens.`);
  }
  const keys = new SigningKeys(options);
  const now = options.now ?? (() => new Date());
  const verified = new LRUCache<string, VerifiedToken>({ max: options.cacheSize ?? 10_000 });
  const verify = async (token: string): Promise<Principal> => {
    const known = verified.get(token);
    keys.keepFresh();
    if (known !== undefined && now() < known.expiresAt && known.withdrawals === keys.withdrawals) return known.principal;
    const payload = await checkToken(token, { options, keys, now: now() });
    const principal = readPrincipal(payload, options);
    // jose has checked that there is an expiry.
    const expiresAt = new Date(((payload.exp ?? 0) + CLOCK_TOLERANCE_SECONDS) * 1000);
    verified.set(token, { principal, expiresAt, withdrawals: keys.withdrawals });
    return principal;
  };
  return { verify };
}

interface VerifiedToken {
  readonly principal: Principal;
  readonly expiresAt: Date;
  /** Number of key withdrawals at the time of verification. */
  readonly withdrawals: number;
}

interface Checking {
  readonly options: AccessTokenOptions;
  readonly keys: SigningKeys;
  readonly now: Date;
}

async function checkToken(token: string, checking: Checking): Promise<JWTPayload> {
  try {
    return (await verifyJwt(token, checking)).payload;
  } catch (error) {
    if (error instanceof SigningKeysUnavailable) {
      throw serviceUnavailable('Access tokens cannot be checked now: try again.', error);
    }
    if (error instanceof errors.JOSEError) throw refuseToken(explainRefusal(error), { cause: error });
    throw error;
  }
}

async function verifyJwt(token: string, { options, keys, now }: Checking): Promise<JWTVerifyResult> {
  const rules = {
    algorithms: ALGORITHMS,
    issuer: options.issuer,
    audience: options.audience,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    requiredClaims: ['exp'],
    currentDate: now,
  };
  try {
    return await jwtVerify(token, (header: JWSHeaderParameters, input: FlattenedJWSInput) => keys.find(header, input), rules);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    // A token that names no key, of an issuer with several: any of them may have signed it.
    let last: unknown = error;
    for await (const key of error) {
      try {
        return await jwtVerify(token, key, rules);
      } catch (refusal) {
        if (!(refusal instanceof errors.JWSSignatureVerificationFailed)) throw refusal;
        last = refusal;
      }
    }
    throw last;
  }
}

function readPrincipal(payload: JWTPayload, { namespaceClaim, requiredScope, actingClientId }: AccessTokenOptions): Principal {
  const subject = payload.sub;
  if (!isUsableName(subject)) throw refuseToken('The access token has no subject (claim sub).');
  const scopes = typeof payload['scope'] === 'string' ? payload['scope'].split(' ').filter((scope) => scope !== '') : [];
  if (requiredScope !== undefined && !scopes.includes(requiredScope)) throw refuseScope(requiredScope);
  const clientId = payload['client_id'];
  const client = typeof clientId === 'string' ? { clientId } : {};
  if (clientId !== undefined && clientId === actingClientId) return { subject, namespace: subject, scopes, kind: 'token', ...client };
  const namespace = payload[namespaceClaim];
  if (!isUsableName(namespace)) {
    throw new ServiceError(
      'forbidden',
      `The access token has no claim ${JSON.stringify(namespaceClaim)} with a text, which says whose objects it may use.`,
    );
  }
  return { subject, namespace, scopes, kind: 'token', ...client };
}

/** Names are stored in the database, which rejects U+0000 and would treat two texts with lone surrogates as equal. */
function isUsableName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !value.includes('\0') && value.isWellFormed();
}

/** Describes publicly why a token is rejected. Never shows its contents. */
function explainRefusal(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'The access token has expired.';
  if (error instanceof errors.JWTClaimValidationFailed)
    return CLAIM_REFUSALS.get(error.claim) ?? `The access token’s claim ${error.claim} is not usable.`;
  if (error instanceof errors.JWKSNoMatchingKey) return 'The access token is signed with a key that its issuer does not have.';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'The access token is signed with an algorithm that is not allowed.';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'The signature of the access token is wrong.';
  return 'The access token is malformed: expected a signed JWT.';
}

const CLAIM_REFUSALS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    iss: 'The access token is from another issuer.',
    aud: 'The access token is meant for another audience.',
    exp: 'The access token has no usable expiry (claim exp).',
    nbf: 'The access token is not valid yet.',
  }),
);
