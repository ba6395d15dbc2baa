/** Runs once after all test files of a run, in the process that ran the setup. */
export default async function closeServers() {
  const { testServers } = /** @type {{ testServers?: import('@svc/test-kit').TestServers }} */ (/** @type {unknown} */ (globalThis));
  await testServers?.stop();
}
