/** Keys of an object store. */
export interface AccessKeys {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** What an HTTP request proves who asks with. */
export type HttpSecret =
  | { readonly type: 'basic-auth'; readonly user: string; readonly password: string }
  | {
      readonly type: 'oauth-client';
      readonly clientId: string;
      readonly clientSecret: string;
      readonly tokenUrl: string;
      readonly useBasicAuth: boolean | null;
    }
  | { readonly type: 'oauth-token'; readonly token: string; readonly refreshToken: string | null; readonly tokenUrl: string | null };

/** What is registered, by kind of credential. All of it is stored encrypted. */
export interface CredentialContents {
  readonly objbucket: { readonly region: string; readonly keys: AccessKeys | null };
  readonly rdbmsserver: {
    readonly vendor: 'postgresql';
    readonly host: string;
    readonly port: number;
    readonly database: string;
    readonly username: string | null;
    readonly password: string | null;
    /** How to connect, such as `sslmode`. */
    readonly properties: Readonly<Record<string, string>>;
  };
  readonly 'filehost-token': { readonly accessToken: string; readonly tokenType: 'bearer'; readonly uid: string };
  readonly 'http-credential': HttpSecret;
}
