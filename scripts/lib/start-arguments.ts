import { parseArgs } from 'node:util';

import { StartError } from '@svc/service-kit';

/** Parsed arguments of `npm start`. */
export interface StartArguments {
  readonly help: boolean;
  readonly withKafka: boolean;
}

/** Output of `npm start -- --help`. */
export const START_USAGE = `Usage: npm start [-- argument …]

  --with-kafka  also starts a Kafka broker with a topic that keeps producing (needs Java; port SVC_KAFKA_PORT, 9092 by default)
  --help        prints this

Settings are environment variables, among them

  SVC_FILE_ROOTS     the folders that file:… locations lie below, as /data:/more (examples/data by default)
  SVC_NETWORK_ALLOW  networks that queries may reach beside public addresses, as 10.0.0.0/8,::1 (loopback by default)
  SVC_DATA_DIR       the folder of the database, keys and Kafka (.data by default)
  SVC_EXECUTOR_PORT  the port of the executor; SVC_GATEWAY_PORT, SVC_CREDENTIALS_PORT, SVC_STREAM_PORT likewise`;

/** Parses the arguments. Throws a StartError that lists the known ones if one is unknown. */
export function parseStartArguments(args: readonly string[]): StartArguments {
  try {
    const options = { help: { type: 'boolean' }, 'with-kafka': { type: 'boolean' } } as const;
    const { values } = parseArgs({ args: [...args], options });
    return { help: values.help ?? false, withKafka: values['with-kafka'] ?? false };
  } catch (cause) {
    const [problem = ''] = (cause as Error).message.split('. ');
    throw new StartError(`${problem}.\n\n${START_USAGE}`, { cause });
  }
}
