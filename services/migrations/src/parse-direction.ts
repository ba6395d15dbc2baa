import { SettingsError } from '@svc/service-kit';

/** Direction of the migration: to the newest version, or back to `to`, by default by one version. */
export type Direction = { readonly kind: 'up' } | { readonly kind: 'down'; readonly to: number | undefined };

/** Parses the arguments of the job: none, or `down [<version>]`. Throws a SettingsError for others. */
export function parseDirection(args: readonly string[]): Direction {
  const [kind, to, ...rest] = args;
  if (kind === undefined) return { kind: 'up' };
  if (kind === 'down' && rest.length === 0 && (to === undefined || /^\d{1,6}$/.test(to)))
    return { kind, to: to === undefined ? undefined : Number(to) };
  throw new SettingsError([`The arguments are "${args.join(' ')}": expected none, or "down" with the version to go back to.`]);
}
