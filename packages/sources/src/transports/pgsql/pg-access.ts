/** A registered database server, and who asks it. */
export interface PgAccess {
  /** The server's name, as it was registered. */
  readonly server: string;
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly username: string | null;
  readonly password: string | null;
  /** What else is told of the connection: `sslmode` and `sslrootcert`, as libpq has them. */
  readonly properties: Readonly<Record<string, string>>;
  /** Tells whose credential this is, and in which state; holds no secret. */
  readonly identity: string;
}
