import { CommandError, UsageError } from '../failures/cli-errors.ts';
import { readConfigFile, writeConfigFile } from './config-folder.ts';

/** The services that have an address. */
export const SERVICE_NAMES = ['gateway', 'executor', 'credentials', 'stream'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** The address of each service. */
export type Addresses = Readonly<Record<ServiceName, string>>;

/** An installation that the user works with. */
export interface Profile {
  /** One address for all services. */
  readonly url?: string | undefined;
  /** Addresses of single services. */
  readonly urls?: Readonly<Partial<Record<ServiceName, string>>> | undefined;
  /** Settings of the sign-in. */
  readonly issuer?: string | undefined;
  readonly clientId?: string | undefined;
  readonly audience?: string | undefined;
  readonly scope?: string | undefined;
}

/** The file of profiles. */
export interface Profiles {
  readonly current: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

const FILE = 'profiles.json';
/** The default profile. */
export const DEFAULT_PROFILE = 'default';

/** Addresses of a local stack. */
const DEFAULT_ADDRESSES: Addresses = {
  gateway: 'http://127.0.0.1:8080',
  executor: 'http://127.0.0.1:8081',
  credentials: 'http://127.0.0.1:8082',
  stream: 'http://127.0.0.1:8083',
};

/** Reads the profiles; empty if none are stored. */
export async function readProfiles(folder: string): Promise<Profiles> {
  const content = await readConfigFile(folder, FILE);
  if (content === undefined) return { current: DEFAULT_PROFILE, profiles: {} };
  const { current, profiles } = content as { readonly current?: unknown; readonly profiles?: unknown };
  if (typeof current !== 'string' || typeof profiles !== 'object' || profiles === null)
    throw new CommandError(`${folder}/${FILE} is no file of profiles: mend it, or delete it to begin anew.`);
  return { current, profiles: profiles as Profiles['profiles'] }; // written by `writeProfiles`
}

/** Stores the profiles. */
export async function writeProfiles(folder: string, profiles: Profiles): Promise<void> {
  await writeConfigFile(folder, FILE, profiles);
}

/** Finds a profile by its own name. */
export function findProfile({ profiles }: Profiles, name: string): Profile | undefined {
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}

/** Sources of an address, in order of precedence. */
export interface AddressSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly profile: Profile | undefined;
  /** True if the profile was selected by `--profile`, which takes precedence over the environment. */
  readonly isChosen: boolean;
}

/** Returns the addresses of the services: an option takes precedence over the environment, the environment over the current profile. */
export function resolveAddresses({ env, profile = {}, isChosen }: AddressSources): Addresses {
  const resolve = (name: ServiceName): string => {
    const fromEnv = env[`SVC_${name.toUpperCase()}_URL`] || env['SVC_URL'];
    const fromProfile = profile.urls?.[name] ?? profile.url;
    // An empty variable is one that is not set.
    const url = (isChosen ? fromProfile || fromEnv : fromEnv || fromProfile) || DEFAULT_ADDRESSES[name];
    return parseUrl(url, `the address of the ${name} service`);
  };
  return { gateway: resolve('gateway'), executor: resolve('executor'), credentials: resolve('credentials'), stream: resolve('stream') };
}

/** Checks an address, and returns it without a slash at its end. */
export function parseUrl(text: string, what: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '')
    throw new UsageError(`${what} must be an http or https URL such as https://svc.example.com, found ${JSON.stringify(text)}.`);
  return url.href.replace(/\/+$/, '');
}
