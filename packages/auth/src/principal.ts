/** The acting user. Passed to every compile and run of a query; determines which objects are visible. */
export interface Principal {
  /** The `sub` of the token, or of the token that created the API key: owner of credentials. */
  readonly subject: string;
  /** Owner of views, packages, tables and streams: the value of the claim that the operator named, by default the subject. */
  readonly namespace: string;
  /** Scopes of the token or of the key. */
  readonly scopes: readonly string[];
  /** The caller's method of authentication. */
  readonly kind: 'token' | 'key';
  /** The OAuth client that a token was issued to, if the token names it. */
  readonly clientId?: string;
}
