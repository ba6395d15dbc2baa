/**
 * Changes when the owner changes the credential, not when only an access token is renewed; reveals no secret. Part of the
 * cache key of everything derived from the credential.
 */
interface Identified {
  readonly identity: string;
}

/** Access to the objects of one bucket. */
export interface BucketCredential extends Identified {
  readonly region: string;
  /** Null, as is the secret key, for a bucket without credentials. */
  readonly accessKey: string | null;
  readonly secretKey: string | null;
}

/** Connection of a database server. */
export interface DatabaseCredential extends Identified {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly username: string | null;
  readonly password: string | null;
  /** Further connection parameters, such as `sslmode`. */
  readonly properties: Readonly<Record<string, string>>;
}

/** The token of a user at the file host. */
export interface FileHostCredential extends Identified {
  readonly accessToken: string;
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

/** A credential for all URLs below a prefix. */
export interface HttpCredential extends Identified {
  /** As registered: the name of the record. */
  readonly prefixUrl: string;
  readonly secret: HttpSecret;
}

/** Kinds of credentials, with the names of the credentials service. */
export type CredentialKind = 'objbucket' | 'rdbmsserver' | 'filehost-token' | 'http-credential';

/** A use of a credential and its outcome. */
export interface CredentialUse {
  readonly subject: string;
  readonly kind: CredentialKind;
  /** Name of the bucket or server, prefix of an HTTP credential; of the file host's token an empty text. */
  readonly name: string;
  /** Null if the credential was accepted. Contains no secret. */
  readonly error: string | null;
}

/** A token that was renewed at its token endpoint. */
export interface RefreshedToken {
  readonly subject: string;
  readonly prefixUrl: string;
  /** Identity of the credential whose refresh token was used: nothing is stored if its owner has changed it meanwhile. */
  readonly identity: string;
  readonly token: string;
  /** Null if the current refresh token stays valid. */
  readonly refreshToken: string | null;
}

/** Looks up users' credentials. Each result is null if there is none; credentials of other users are never returned. */
export interface CredentialLookup {
  readonly bucket: (subject: string, name: string) => Promise<BucketCredential | null>;
  readonly databaseServer: (subject: string, name: string) => Promise<DatabaseCredential | null>;
  readonly fileHostToken: (subject: string) => Promise<FileHostCredential | null>;
  /** Finds the credential with the longest prefix that matches by origin and whole path segments. */
  readonly httpCredential: (subject: string, url: URL) => Promise<HttpCredential | null>;
  /** Claims the refresh of a token, to be given back; null while another process has it. */
  readonly claimRefresh: (of: Pick<RefreshedToken, 'subject' | 'prefixUrl' | 'identity'>) => Promise<(() => Promise<void>) | null>;
  readonly saveRefreshedToken: (refreshed: RefreshedToken) => Promise<void>;
  /** Records a use asynchronously; a failure to record does not affect the query. */
  readonly used: (use: CredentialUse) => void;
}

/** A lookup without credentials. */
export const NO_CREDENTIALS: CredentialLookup = {
  bucket: async () => null,
  databaseServer: async () => null,
  fileHostToken: async () => null,
  httpCredential: async () => null,
  claimRefresh: async () => async () => undefined,
  saveRefreshedToken: async () => undefined,
  used: () => undefined,
};
