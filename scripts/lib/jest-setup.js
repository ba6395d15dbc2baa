import { openTestServers } from '@svc/test-kit';

/** Runs once before all test files of a run, in the process that starts the workers. */
export default async function openServers() {
  const servers = await openTestServers(process.env);
  Object.assign(process.env, servers.env);
  // Jest passes nothing from the setup to the teardown, except globals.
  Object.assign(globalThis, { testServers: servers });
}
