import { Command } from '@commander-js/extra-typings';

import type { Cli } from '../cli.ts';
import { configFolder } from '../config/config-folder.ts';
import { parseUrl, readProfiles, writeProfiles, type Profile } from '../config/profiles.ts';
import { CommandError, InterruptedError } from '../failures/cli-errors.ts';
import { cleanText } from '../output/clean-text.ts';
import { describeToken } from '../session/describe-token.ts';
import { changeTokens } from '../session/token-store.ts';

const DEFAULT_CLIENT_ID = 'cli';
const DEFAULT_SCOPE = 'svc:admin';
const TIMEOUT_MS = 15_000;

const EXAMPLES = `
Without options, the gateway says where to sign in. What is given is kept in the profile.

Examples:
  $ svc login
  $ svc login --device
  $ svc login --profile work --url https://svc.example.com
  $ svc login --issuer https://login.example.com --audience urn:svc --scope 'svc:admin offline_access'`;

interface SignInOptions {
  readonly issuer?: string | undefined;
  readonly clientId?: string | undefined;
  readonly audience?: string | undefined;
  readonly scope?: string | undefined;
}

/** `svc login`. */
export function loginCommand(cli: Cli) {
  const { terminal } = cli;
  return new Command('login')
    .summary('sign in')
    .description('Sign in with a browser (authorization code with PKCE), or with a code that is entered on another device.')
    .option('--device', 'show a code to enter in a browser of another device')
    .option('--no-browser', 'print the address of the sign-in page, and do not open it')
    .option('--url <url>', 'the address of all services of this profile')
    .option('--issuer <url>', 'the authorization server')
    .option('--client-id <id>', `the client as which svc signs in (default: "${DEFAULT_CLIENT_ID}")`)
    .option('--audience <uri>', 'the audience of the access tokens')
    .option('--scope <scopes>', `the scopes, with blanks between (default: "${DEFAULT_SCOPE}")`)
    .addHelpText('after', EXAMPLES)
    .action(async ({ device, browser, url, ...given }) => {
      if (url !== undefined) await changeProfile(cli, { url: parseUrl(url, '--url') });
      const config = await findAuthorization(cli, given);
      const tokens = await signIn(cli, config, { isDevice: device === true, opensBrowser: browser });
      await changeTokens(configFolder(terminal.env), await cli.profileName(), async () => tokens);
      await changeProfile(cli, given);
      const { subject } = describeToken(tokens.accessToken);
      terminal.stderr.write(`Signed in${subject === undefined ? '' : ` as ${cleanText(subject)}`}.\n`);
      if (terminal.env['SVC_TOKEN']) terminal.stderr.write('SVC_TOKEN is set: commands use that token as long as it is.\n');
    });
}

/** Stores the given settings in the profile. */
async function changeProfile({ terminal, profileName }: Cli, given: Profile): Promise<void> {
  const kept = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  if (Object.keys(kept).length === 0) return;
  const folder = configFolder(terminal.env);
  const name = await profileName();
  const stored = await readProfiles(folder);
  await writeProfiles(folder, { ...stored, profiles: { ...stored.profiles, [name]: { ...stored.profiles[name], ...kept } } });
}

interface FoundAuthorization {
  readonly issuer: string;
  readonly clientId: string;
  readonly audience: string | undefined;
  readonly scope: string;
}

async function findAuthorization(cli: Cli, given: SignInOptions): Promise<FoundAuthorization> {
  const profile = await cli.profile();
  const issuer = given.issuer ?? profile?.issuer;
  const shared = {
    clientId: given.clientId ?? profile?.clientId ?? DEFAULT_CLIENT_ID,
    scope: given.scope ?? profile?.scope ?? DEFAULT_SCOPE,
  };
  const audience = given.audience ?? profile?.audience;
  if (issuer !== undefined) return { issuer: parseUrl(issuer, '--issuer'), audience, ...shared };
  const found = await askGateway(cli);
  return { issuer: found.issuer, audience: audience ?? found.audience, ...shared };
}

/** The gateway names the authorization server to the console. */
async function askGateway({ addresses, terminal }: Cli): Promise<{ readonly issuer: string; readonly audience: string }> {
  const { gateway } = await addresses();
  const url = `${gateway}/console/config.json`;
  try {
    const response = await fetch(url, { signal: AbortSignal.any([terminal.signal, AbortSignal.timeout(TIMEOUT_MS)]) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return (await response.json()) as { readonly issuer: string; readonly audience: string }; // as the gateway serves it
  } catch (error) {
    if (terminal.signal.aborted) throw new InterruptedError();
    throw new CommandError(
      `${url} does not say where to sign in (${(error as Error).message}): name the server by --issuer and --audience.`,
      {
        cause: error,
      },
    );
  }
}

interface SignInWay {
  readonly isDevice: boolean;
  readonly opensBrowser: boolean;
}

async function signIn({ terminal }: Cli, { scope, ...config }: FoundAuthorization, { isDevice, opensBrowser }: SignInWay) {
  const { stderr, signal } = terminal;
  // Most commands need no library for OAuth.
  const { discover } = await import('../session/authorization.ts');
  const authorization = await discover(config);
  if (isDevice) {
    const { signInWithDevice } = await import('../session/sign-in-with-device.ts');
    const show = ({ url, code }: { readonly url: string; readonly code: string }): void =>
      void stderr.write(`Open ${cleanText(url)}\nand enter the code ${cleanText(code)}\n`);
    return signInWithDevice({ authorization, scope, show, signal });
  }
  const { signInWithBrowser } = await import('../session/sign-in-with-browser.ts');
  const { openBrowser } = await import('../session/open-browser.ts');
  const show = (url: URL): void => {
    stderr.write(`Sign in at\n${url.href}\n`);
    if (opensBrowser) openBrowser(url);
  };
  return signInWithBrowser({ authorization, scope, show, signal });
}
