/** One kind of credentials, for tests that cover all kinds. */
export interface SampleKind {
  readonly list: string;
  /** Path at which one is shown and deleted. */
  readonly detail: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Expected detail response. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** Expected entry in the list. */
  readonly listed: string;
  readonly exists: string;
  readonly absent: string;
}

const PREFIX = 'https://API.example.com:443/v1/';

/** The kinds that have lists. */
export const SAMPLES: readonly SampleKind[] = [
  {
    list: '/objbuckets',
    detail: '/objbuckets/sales-data',
    body: { name: 'sales-data', region: 'eu-west-1', credentials: { accessKey: 'AKIA', secretKey: 'sesame' } },
    shown: { name: 'sales-data', credentials: { accessKey: 'AKIA', secretKey: 'sesame' } },
    listed: 'sales-data',
    exists: 'objstore_credentials_already_exists',
    absent: 'objstore_credentials_not_found',
  },
  {
    list: '/rdbmsservers',
    detail: '/rdbmsservers/Crm.1',
    body: { name: 'Crm.1', vendor: 'postgresql', host: 'db.example.com', port: 5432, database: 'crm', username: 'u', password: 'sesame' },
    shown: { type: 'postgresql', host: 'db.example.com', port: 5432, database: 'crm', username: 'u', password: 'sesame' },
    listed: 'Crm.1',
    exists: 'database_credentials_already_exists',
    absent: 'database_credentials_not_found',
  },
  {
    list: '/http-creds',
    detail: `/http-creds/${encodeURIComponent(PREFIX)}`,
    body: { prefixUrl: PREFIX, credentials: { type: 'basic-auth', user: 'u', password: 'sesame' } },
    shown: { prefixUrl: PREFIX, credentials: { type: 'basic-auth', user: 'u', password: 'sesame' } },
    listed: PREFIX,
    exists: 'http_credentials_already_exists',
    absent: 'http_credentials_not_found',
  },
];

/** The file host's token, one per user: not in any list. */
export const TOKEN_SAMPLE: Omit<SampleKind, 'listed'> = {
  list: '/filehost-tokens',
  detail: '/filehost-tokens',
  body: { accessToken: 'sesame', tokenType: 'bearer', uid: '42' },
  shown: { accessToken: 'sesame', tokenType: 'bearer', uid: '42' },
  exists: 'filehost_token_already_exists',
  absent: 'filehost_token_not_found',
};
