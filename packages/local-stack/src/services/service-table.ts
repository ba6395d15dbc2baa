/** A service that the local stack runs. */
export interface ServiceEntry {
  readonly name: string;
  /** The middle of its port settings: `EXECUTOR` for `SVC_EXECUTOR_PORT`. */
  readonly area: string;
  /** The file that runs it, from the project's directory. */
  readonly entry: string;
  readonly port: number;
  readonly adminPort: number;
}

/** The services of the local stack, in the order they are shown. A new service gets its line here. */
export const SERVICES: readonly ServiceEntry[] = [
  { name: 'gateway', area: 'GATEWAY', entry: 'services/gateway/src/main.ts', port: 8080, adminPort: 9080 },
  { name: 'executor', area: 'EXECUTOR', entry: 'services/executor/src/main.ts', port: 8081, adminPort: 9081 },
  { name: 'credentials', area: 'CREDENTIALS', entry: 'services/credentials/src/main.ts', port: 8082, adminPort: 9082 },
  { name: 'stream', area: 'STREAM', entry: 'services/stream/src/main.ts', port: 8083, adminPort: 9083 },
];
