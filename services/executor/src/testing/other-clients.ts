import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The response to a query as an external client process sees it; how the client reports the end of the body. */
export interface ClientReport {
  readonly status: number;
  /** The client's error while reading the body; null if it considered the body complete. */
  readonly error: string | null;
}

export interface ClientRequest {
  readonly url: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A client of HTTP that is not Node. */
export interface OtherClient {
  readonly name: string;
  /** The error with which it reports a truncated body. */
  readonly error: string;
  readonly isAtHand: () => boolean;
  readonly ask: (request: ClientRequest) => Promise<ClientReport>;
}

const PYTHON = 'python3';
/** Arguments: url, query, headers as JSON. Prints the status and the class of the error. */
const HTTP_CLIENT = `
import http.client, json, sys, urllib.parse
where = urllib.parse.urlsplit(sys.argv[1])
connection = http.client.HTTPConnection(where.hostname, where.port)
connection.request("POST", where.path, sys.argv[2].encode(), json.loads(sys.argv[3]))
response = connection.getresponse()
try:
    response.read()
    print(response.status)
except Exception as error:
    print(response.status, type(error).__name__)
`;
const REQUESTS = `
import json, requests, sys
response = requests.post(sys.argv[1], sys.argv[2].encode(), headers=json.loads(sys.argv[3]), stream=True)
try:
    response.content
    print(response.status_code)
except Exception as error:
    print(response.status_code, type(error).__name__)
`;

/** curl and two Python clients, if installed. */
export const OTHER_CLIENTS: readonly OtherClient[] = [
  { name: 'curl', error: '18', isAtHand: () => works('curl', ['--version']), ask: askCurl },
  python('http.client', { script: HTTP_CLIENT, error: 'IncompleteRead', module: 'http.client' }),
  python('requests', { script: REQUESTS, error: 'ChunkedEncodingError', module: 'requests' }),
];

async function askCurl({ url, query, headers }: ClientRequest): Promise<ClientReport> {
  const options = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const args = ['-s', '-o', '/dev/null', '-w', '%{http_code} %{exitcode}', '--data-binary', query, ...options, url];
  const { stdout } = await run('curl', args).catch((failed: { readonly stdout: string }) => failed); // its exit code is in what it printed
  return reportOf(stdout.replace(/ 0$/, ''));
}

function python(
  name: string,
  { script, error, module }: { readonly script: string; readonly error: string; readonly module: string },
): OtherClient {
  return {
    name,
    error,
    isAtHand: () => works(PYTHON, ['-c', `import ${module}`]),
    ask: async ({ url, query, headers }) => reportOf((await run(PYTHON, ['-c', script, url, query, JSON.stringify(headers)])).stdout),
  };
}

function reportOf(printed: string): ClientReport {
  const [status, error = null] = printed.trim().split(' ');
  return { status: Number(status), error };
}

function works(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore', timeout: 30_000 });
    return true;
  } catch {
    return false;
  }
}
