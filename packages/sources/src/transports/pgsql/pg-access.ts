/** A registered database server, and its caller. */
export interface PgAccess {
  /** The server's name, as it was registered. */
  readonly server: string;
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly username: string | null;
  readonly password: string | null;
  /** Further connection parameters: `sslmode` and `sslrootcert`, as in libpq. */
  readonly properties: Readonly<Record<string, string>>;
  /** Identifies the credential's owner and state; contains no secret. */
  readonly identity: string;
}
