import { commonSettings, integerSetting, optional, secret, textSetting, urlSetting, withDefault } from '@svc/service-kit';

/** The settings of every service of the product; `area` is the middle of its port settings. */
export function serviceSettings(area: string, ports: { readonly port: number; readonly adminPort: number }) {
  return {
    ...commonSettings(area, ports),
    databaseUrl: secret(textSetting('SVC_DATABASE_URL', 'the address of a PostgreSQL database')),
    tokenIssuer: textSetting('SVC_TOKEN_ISSUER', 'the issuer of access tokens'),
    tokenAudience: textSetting('SVC_TOKEN_AUDIENCE', 'the audience that access tokens must name'),
    tokenJwksUrl: optional(urlSetting('SVC_TOKEN_JWKS_URL')),
    /** Maximum duration of each statement on the metadata. */
    statementTimeoutMillis: withDefault(integerSetting('SVC_STATEMENT_TIMEOUT_MS', { min: 1, max: 3_600_000 }), 30_000),
    namespaceClaim: withDefault(textSetting('SVC_NAMESPACE_CLAIM', 'the name of a claim'), 'sub'),
    requiredScope: optional(textSetting('SVC_REQUIRED_SCOPE', 'a scope')),
  } as const;
}
