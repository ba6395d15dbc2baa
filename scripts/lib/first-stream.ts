import type { LocalStack } from '@svc/local-stack';

/** Contains no single quote, since it is pasted into a shell. */
const TRANSFORM = String.raw`parsed(v: binary) := PARSE_JSON(DECODE(v) AS record(date: string, delay: int, distance: int, origin: string, destination: string));
\(key: binary nullable, value: binary, topic: string, partitionNo: int, offset: long, timestamp: timestamp, timestampType: int) -> parsed(value)`;
const QUERY = 'SELECT origin, COUNT(*) AS departures, AVG(delay) AS delay FROM flights GROUP BY origin ORDER BY departures DESC LIMIT 3';

/** Addresses of the two commands, and the topic. */
export interface FirstStream {
  readonly kafka: NonNullable<LocalStack['kafka']>;
  readonly streamUrl: string;
  readonly executorUrl: string;
  readonly token: string;
}

/**
 * Returns the lines of `npm start -- --with-kafka`: a command that creates a stream of the sample topic, and one that
 * queries its table.
 */
export function describeFirstStream({ kafka, streamUrl, executorUrl, token }: FirstStream): readonly string[] {
  const body = JSON.stringify({ ...kafka, transform: TRANSFORM });
  return [
    `Kafka at ${kafka.host}:${kafka.port} gets messages in the topic ${kafka.topic} all the time. A stream that stores them in a table:`,
    `curl -s ${streamUrl}/stream/flights -H 'Content-Type: application/json' -H 'Authorization: Bearer ${token}' -d '${body}'`,
    '',
    'What has arrived in the table:',
    `curl -s ${executorUrl}/query -H 'Content-Type: text/plain' -H 'Authorization: Bearer ${token}' --data-binary '${QUERY}'`,
    '',
  ];
}
