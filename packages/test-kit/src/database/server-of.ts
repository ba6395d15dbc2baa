/** Where a database is, as it is registered with the services. */
export interface ServerOfDatabase {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly username: string;
  readonly password: string;
}

/** Returns the parts of a database's URL. */
export function serverOf(url: string): ServerOfDatabase {
  const { hostname: host, port, pathname, username, password } = new URL(url);
  return { host, port: Number(port), database: pathname.slice(1), username, password: decodeURIComponent(password) };
}
