/** Settings that the gateway provides to the console. */
export interface ConsoleConfig {
  /** The authorization server. */
  readonly issuer: string;
  readonly clientId: string;
  /** The audience of the access tokens that the services accept. */
  readonly audience: string;
}

/** Loads the configuration that the gateway serves with the console. */
export async function loadConfig(): Promise<ConsoleConfig> {
  const response = await fetch(`${import.meta.env.BASE_URL}config.json`, { headers: { Accept: 'application/json' } });
  if (!response.ok) throw new Error(`The gateway answered ${response.status} when asked for the console's configuration.`);
  // Both ends are deployed together.
  return (await response.json()) as ConsoleConfig;
}
