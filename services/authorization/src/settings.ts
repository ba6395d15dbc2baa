import { optional, portSetting, secret, textSetting, urlSetting, withDefault } from '@svc/service-kit';

/** The settings of the local authorization server. */
export const AUTHORIZATION_SETTINGS = {
  host: withDefault(textSetting('SVC_HOST', 'an address to listen on'), '0.0.0.0'),
  port: withDefault(portSetting('SVC_AUTHORIZATION_PORT'), 8084),
  dataDir: textSetting('SVC_DATA_DIR', 'a directory that keeps the signing key'),
  // Unchanged: issuers are compared letter by letter.
  issuer: textSetting('SVC_TOKEN_ISSUER', 'the URL by which browsers and services know this server'),
  audience: textSetting('SVC_TOKEN_AUDIENCE', 'the audience of access tokens'),
  namespaceClaim: withDefault(textSetting('SVC_NAMESPACE_CLAIM', 'the name of a claim'), 'sub'),
  gatewayClientId: withDefault(textSetting('SVC_GATEWAY_CLIENT_ID', 'the name of a client'), 'gateway'),
  gatewayClientSecret: secret(textSetting('SVC_GATEWAY_CLIENT_SECRET', "the secret of the gateway's client")),
  consoleUrl: optional(urlSetting('SVC_CONSOLE_URL')),
} as const;
