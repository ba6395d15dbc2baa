/** Who may log in on the listener that wants SASL. */
export interface KafkaUser {
  readonly username: string;
  readonly password: string;
}

/** What the settings of a broker depend on. */
export interface KafkaSettings {
  readonly host: string;
  readonly port: number;
  readonly controllerPort: number;
  readonly saslPort: number | undefined;
  readonly user?: KafkaUser;
  readonly data: string;
  readonly settings?: Readonly<Record<string, string>>;
}

/** The settings file of a cluster of one node, which is broker and controller. */
export function kafkaSettings(of: KafkaSettings): string {
  const { host, port, controllerPort, saslPort, user, data, settings } = of;
  const sasl = saslPort === undefined || user === undefined ? null : { address: `SASL://${host}:${saslPort}`, user };
  const addresses = [`PLAIN://${host}:${port}`, ...(sasl === null ? [] : [sasl.address])];
  const all: Readonly<Record<string, string>> = {
    'process.roles': 'broker,controller',
    'node.id': '1',
    'controller.quorum.voters': `1@${host}:${controllerPort}`,
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAIN',
    listeners: [...addresses, `CONTROLLER://${host}:${controllerPort}`].join(','),
    'advertised.listeners': addresses.join(','),
    'listener.security.protocol.map': 'PLAIN:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL:SASL_PLAINTEXT',
    'log.dirs': data,
    'auto.create.topics.enable': 'false',
    // There is one node, and groups of consumers need not wait for others.
    'offsets.topic.replication.factor': '1',
    'offsets.topic.num.partitions': '4',
    'transaction.state.log.replication.factor': '1',
    'transaction.state.log.min.isr': '1',
    'transaction.state.log.num.partitions': '4',
    'group.initial.rebalance.delay.ms': '0',
    'log.cleaner.dedupe.buffer.size': String(16 * 1024 * 1024),
    ...(sasl === null ? {} : saslSettings(sasl.user)),
    ...settings,
  };
  return `${Object.entries(all)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')}\n`;
}

function saslSettings({ username, password }: KafkaUser): Readonly<Record<string, string>> {
  const module = 'org.apache.kafka.common.security.plain.PlainLoginModule';
  return {
    'sasl.enabled.mechanisms': 'PLAIN',
    'listener.name.sasl.plain.sasl.jaas.config': `${module} required username="${username}" password="${password}" user_${username}="${password}";`,
  };
}
