import { openTestServers } from '@svc/test-kit';

/** Runs once before all test files of a run, in the process that starts the workers. */
export default async function openServers() {
  const servers = await openTestServers(process.env);
  Object.assign(process.env, servers.env);
  // Jest gives the teardown no other way to what the setup opened.
  Object.assign(globalThis, { testServers: servers });
}
