import { accessServer, type KafkaAccess } from '../servers/server-access.ts';

/** The real Kafka cluster of the test run. */
export interface TestKafka extends KafkaAccess {
  readonly host: string;
  readonly port: number;
}

/** Starts the cluster on the first request. */
export async function testKafka(): Promise<TestKafka> {
  const access = await accessServer('kafka');
  const [host = '', port = ''] = access.brokers[0]?.split(':') ?? [];
  return { ...access, host, port: Number(port) };
}
