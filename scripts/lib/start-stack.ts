import { migrate, SchemaTooNewError } from '@svc/database';
import { loadSigningKey, mintAccessToken } from '@svc/local-authorization';
import { startLocalStack, type LocalStack } from '@svc/local-stack';
import { SettingsError, StartError } from '@svc/service-kit';

import { buildConsole } from './build-console.ts';
import { FIRST_QUERY } from './first-query.ts';
import { describeFirstStream } from './first-stream.ts';
import { COMPILE_CACHE, PROJECT } from './project.js';
import { parseStartArguments, START_USAGE } from './start-arguments.ts';
import { onStopSignal } from './stop-signals.ts';

const TOKEN_LIFE_SECONDS = 8 * 3600;

const giveUp = new AbortController();
const stopped = new Promise<void>((resolve) => giveUp.signal.addEventListener('abort', () => resolve()));
onStopSignal(
  () => giveUp.abort(),
  () => process.exit(1),
);
process.exitCode = await run();

/** Runs the stack until a stop signal, or until a part of it ends. Returns the exit code. */
async function run(): Promise<number> {
  try {
    const { help, withKafka } = parseStartArguments(process.argv.slice(2));
    if (help) {
      console.log(START_USAGE);
      return 0;
    }
    const stack = await startLocalStack({
      env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env, SVC_CONSOLE_DIR: await provideConsole() },
      directory: PROJECT,
      migrate: migrateDatabase,
      withKafka,
      onNotice: (line) => console.error(line),
      signal: giveUp.signal,
    });
    console.log(await describeStack(stack));
    const failure = await Promise.race([stack.failed, stopped]);
    if (failure !== undefined) console.error(failure);
    await stack.stop();
    return failure === undefined ? 0 : 1;
  } catch (error) {
    if (giveUp.signal.aborted) return 0;
    explainFailure(error);
    return 1;
  }
}

/** Returns the operator's own build of the console, or a build of the current sources. */
async function provideConsole(): Promise<string> {
  const given = process.env['SVC_CONSOLE_DIR'] ?? '';
  return given === '' ? buildConsole(giveUp.signal) : given;
}

async function migrateDatabase(url: string): Promise<void> {
  try {
    await migrate(url);
  } catch (error) {
    if (error instanceof SchemaTooNewError) throw new StartError(error.message, { cause: error });
    const { message, code } = error as NodeJS.ErrnoException;
    throw new StartError(`The database (SVC_DATABASE_URL) cannot be used: ${message || code}.`, { cause: error });
  }
}

async function describeStack({ addresses, settings, kafka }: LocalStack): Promise<string> {
  const token = await mintAccessToken(await loadSigningKey(settings.dataDir), {
    issuer: settings.issuer,
    audience: settings.audience,
    sub: 'demo',
    expiresInSeconds: TOKEN_LIFE_SECONDS,
  });
  const urlOf = (wanted: string): string => addresses.find(({ name }) => name === wanted)?.url ?? '';
  return [
    ...addresses.map(({ name, url, adminUrl }) => `${name.padEnd(14)} ${url}${adminUrl === undefined ? '' : `   (admin: ${adminUrl})`}`),
    '',
    'Administration in a browser (sign in as demo):',
    `${urlOf('gateway')}/console/`,
    '',
    'An access token (npm run -s token prints others):',
    token,
    '',
    'A query to paste into another shell:',
    `curl -s ${urlOf('executor')}/query -H 'Content-Type: text/plain' -H 'Authorization: Bearer ${token}' --data-binary '${FIRST_QUERY.text}'`,
    '',
    'Its answer begins with:',
    ...FIRST_QUERY.firstLines,
    '',
    ...(kafka === undefined ? [] : describeFirstStream({ kafka, streamUrl: urlOf('stream'), executorUrl: urlOf('executor'), token })),
    'ready',
  ].join('\n');
}

/** Prints one line per fault that the operator can resolve; an unexpected error is printed with its stack. */
function explainFailure(error: unknown): void {
  if (error instanceof SettingsError || error instanceof StartError) {
    // Without a text, the part that failed has written its own.
    if (error.message !== '') console.error(error.message);
  } else console.error(error);
}
