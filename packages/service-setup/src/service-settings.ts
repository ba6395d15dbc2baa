import {
  commonSettings,
  integerSetting,
  optional,
  refineSetting,
  secret,
  textSetting,
  urlSetting,
  urlTextSetting,
  withDefault,
} from '@svc/service-kit';

/** The settings of every service of the product; `area` is the middle of its port settings. */
export function serviceSettings(area: string, ports: { readonly port: number; readonly adminPort: number }) {
  return {
    ...commonSettings(area, ports),
    databaseUrl: secret(
      urlTextSetting('SVC_DATABASE_URL', { meaning: 'the address of a PostgreSQL database', schemes: ['postgresql', 'postgres'] }),
    ),
    tokenIssuer: urlTextSetting('SVC_TOKEN_ISSUER', { meaning: 'the issuer of access tokens', schemes: ['https', 'http'] }),
    tokenAudience: textSetting('SVC_TOKEN_AUDIENCE', 'the audience that access tokens must name'),
    tokenJwksUrl: optional(urlSetting('SVC_TOKEN_JWKS_URL')),
    /** Maximum duration of each statement on the metadata. */
    statementTimeoutMillis: withDefault(integerSetting('SVC_STATEMENT_TIMEOUT_MS', { min: 1, max: 3_600_000 }), 30_000),
    namespaceClaim: withDefault(textSetting('SVC_NAMESPACE_CLAIM', 'the name of a claim'), 'sub'),
    requiredScope: optional(
      refineSetting(textSetting('SVC_REQUIRED_SCOPE'), 'one scope', (scope) => (SCOPE.test(scope) ? scope : undefined)),
    ),
  } as const;
}

/** A scope of OAuth (RFC 6749, section 3.3): with a blank in it no token could have it. */
const SCOPE = /^[!#-[\]-~]+$/;
