import { applicationTests } from './application-tests.ts';
import { openConsoleWorld, type ConsoleWorld } from './console-world.ts';
import { keyTests } from './key-tests.ts';
import { layoutTests } from './layout-tests.ts';
import { securityTests } from './security-tests.ts';
import { signInTests } from './sign-in-tests.ts';
import { putShop } from './test-data.ts';

let world: ConsoleWorld;

beforeAll(async () => {
  world = await openConsoleWorld();
  await putShop(world);
}, 400_000);

afterAll(() => world.close());

afterEach(() => {
  // Violations of the content security policy are among them.
  const complaints = world.takeComplaints();
  if (complaints.length > 0) throw new Error(`The browser complained:\n${complaints.join('\n')}`);
});

describe('signing in', () => {
  signInTests(() => world);
});
describe('keys', () => {
  keyTests(() => world);
});
describe('applications', () => {
  applicationTests(() => world);
});
describe('safety', () => {
  securityTests(() => world);
});
describe('looks', () => {
  layoutTests(() => world);
});
