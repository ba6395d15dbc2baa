/** Claims of a token about its owner. */
export interface TokenDescription {
  readonly subject: string | undefined;
  readonly issuer: string | undefined;
  readonly scope: string | undefined;
  readonly expiresAt: Date | undefined;
}

/**
 * Decodes the claims of an access token without verification: for display, not for decisions. All are undefined for a token
 * that is no JWT.
 */
export function describeToken(token: string): TokenDescription {
  const claims = readClaims(token);
  const text = (name: string): string | undefined => (typeof claims[name] === 'string' ? claims[name] : undefined);
  const end = claims['exp'];
  return {
    subject: text('sub'),
    issuer: text('iss'),
    scope: text('scope'),
    expiresAt: typeof end === 'number' ? new Date(end * 1000) : undefined,
  };
}

function readClaims(token: string): Readonly<Record<string, unknown>> {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return typeof claims === 'object' && claims !== null ? { ...claims } : {};
  } catch {
    return {};
  }
}
