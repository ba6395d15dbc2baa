/** User of the SASL listeners. */
export interface KafkaUser {
  readonly username: string;
  readonly password: string;
}

/** A PKCS #12 file with the key and the certificate of a broker. */
export interface KafkaKeystore {
  readonly path: string;
  readonly password: string;
}

/** Parameters of a broker's settings. */
export interface KafkaSettings {
  readonly host: string;
  readonly port: number;
  readonly controllerPort: number;
  readonly saslPort: number | undefined;
  readonly user?: KafkaUser;
  /** A second such listener, over TLS. */
  readonly tls?: { readonly port: number; readonly keystore: KafkaKeystore } | undefined;
  readonly data: string;
  readonly settings?: Readonly<Record<string, string>>;
}

/** The settings file of a cluster of one node, which is broker and controller. */
export function kafkaSettings(of: KafkaSettings): string {
  const { host, port, controllerPort, saslPort, user, tls, data, settings } = of;
  const sasl = saslPort === undefined || user === undefined ? null : { address: `SASL://${host}:${saslPort}`, user };
  const addresses = [
    `PLAIN://${host}:${port}`,
    ...(sasl === null ? [] : [sasl.address]),
    ...(tls === undefined ? [] : [`SASLTLS://${host}:${tls.port}`]),
  ];
  const all: Readonly<Record<string, string>> = {
    'process.roles': 'broker,controller',
    'node.id': '1',
    'controller.quorum.voters': `1@${host}:${controllerPort}`,
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAIN',
    listeners: [...addresses, `CONTROLLER://${host}:${controllerPort}`].join(','),
    'advertised.listeners': addresses.join(','),
    'listener.security.protocol.map': 'PLAIN:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL:SASL_PLAINTEXT,SASLTLS:SASL_SSL',
    'log.dirs': data,
    'auto.create.topics.enable': 'false',
    // There is one node, and groups of consumers need not wait for others.
    'offsets.topic.replication.factor': '1',
    'offsets.topic.num.partitions': '4',
    'transaction.state.log.replication.factor': '1',
    'transaction.state.log.min.isr': '1',
    'transaction.state.log.num.partitions': '4',
    'group.initial.rebalance.delay.ms': '0',
    'group.min.session.timeout.ms': '1000',
    // A busy machine does not make the only broker leave its cluster.
    'broker.session.timeout.ms': '60000',
    'log.cleaner.dedupe.buffer.size': String(16 * 1024 * 1024),
    ...(sasl === null ? {} : { 'sasl.enabled.mechanisms': ['PLAIN', ...SCRAM_MECHANISMS].join(','), ...loginsOn('sasl', sasl.user) }),
    ...(sasl === null || tls === undefined ? {} : { ...loginsOn('sasltls', sasl.user), ...keystoreSettings(tls.keystore) }),
    ...settings,
  };
  return `${Object.entries(all)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')}\n`;
}

/** Besides PLAIN; a broker knows users of these since its data was formatted. */
export const SCRAM_MECHANISMS = ['SCRAM-SHA-256', 'SCRAM-SHA-512'] as const;

const MODULES = 'org.apache.kafka.common.security';

function loginsOn(listener: string, { username, password }: KafkaUser): Readonly<Record<string, string>> {
  const place = `listener.name.${listener}`;
  const plain = `${MODULES}.plain.PlainLoginModule required username="${username}" password="${password}" user_${username}="${password}";`;
  const scram = SCRAM_MECHANISMS.map((mechanism) => [
    `${place}.${mechanism.toLowerCase()}.sasl.jaas.config`,
    `${MODULES}.scram.ScramLoginModule required;`,
  ]);
  return { [`${place}.plain.sasl.jaas.config`]: plain, ...(Object.fromEntries(scram) as Readonly<Record<string, string>>) }; // of pairs of texts
}

function keystoreSettings({ path, password }: KafkaKeystore): Readonly<Record<string, string>> {
  return { 'ssl.keystore.type': 'PKCS12', 'ssl.keystore.location': path, 'ssl.keystore.password': password, 'ssl.key.password': password };
}
