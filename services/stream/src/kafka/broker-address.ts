/** Address of a broker, and the login. */
export interface BrokerAddress {
  readonly host: string;
  readonly port: number;
  /** True: with a certificate that the system trusts. Or one that `ca`, as PEM, has signed. */
  readonly tls: BrokerTls;
  readonly login: BrokerLogin | null;
}

/** TLS of a connection, with the trusted certificates. */
export type BrokerTls = boolean | { readonly ca: string };

/** SASL. */
export interface BrokerLogin {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly username: string;
  readonly password: string;
}
