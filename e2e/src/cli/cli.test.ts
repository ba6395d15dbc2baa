import { apiTypeTests } from './api-type-tests.ts';
import { openCliWorld, type CliWorld } from './cli-world.ts';
import { pageTests } from './page-tests.ts';
import { queryTests } from './query-tests.ts';
import { resourceTests } from './resource-tests.ts';
import { sessionTests } from './session-tests.ts';
import { streamTests } from './stream-tests.ts';

let world: CliWorld;

beforeAll(async () => {
  world = await openCliWorld();
});

afterAll(() => world.close());

describe('the API', () => {
  apiTypeTests(() => world);
});
describe('queries', () => {
  queryTests(() => world);
});
describe('resources', () => {
  resourceTests(() => world);
});
describe('streams', () => {
  streamTests(() => world);
});
describe('sessions', () => {
  sessionTests(() => world);
});
describe('the page', () => {
  pageTests(() => world);
});
