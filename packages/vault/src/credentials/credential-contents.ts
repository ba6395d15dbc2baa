/** Keys of an object store. */
export interface AccessKeys {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** Secrets that authenticate HTTP requests. */
export type HttpSecret =
  | { readonly type: 'basic-auth'; readonly user: string; readonly password: string }
  | {
      readonly type: 'oauth-client';
      readonly clientId: string;
      readonly clientSecret: string;
      readonly tokenUrl: string;
      readonly useBasicAuth: boolean | null;
      readonly scope?: string;
      readonly audience?: string;
    }
  | { readonly type: 'oauth-token'; readonly token: string; readonly refreshToken: string | null; readonly tokenUrl: string | null };

/** Contents of a credential by kind. Stored encrypted as a whole. */
export interface CredentialContents {
  readonly objbucket: { readonly region: string; readonly keys: AccessKeys | null };
  readonly rdbmsserver: {
    readonly vendor: 'postgresql';
    readonly host: string;
    readonly port: number;
    readonly database: string;
    readonly username: string | null;
    readonly password: string | null;
    /** Connection parameters, such as `sslmode`. */
    readonly properties: Readonly<Record<string, string>>;
  };
  readonly 'filehost-token': { readonly accessToken: string; readonly tokenType: 'bearer'; readonly uid: string };
  readonly 'http-credential': HttpSecret;
}
