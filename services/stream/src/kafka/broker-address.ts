/** Where a broker is, and how it is logged in to. */
export interface BrokerAddress {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly login: BrokerLogin | null;
}

/** SASL. */
export interface BrokerLogin {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly username: string;
  readonly password: string;
}
