import { apiTypeTests } from './api-type-tests.ts';
import { openCliWorld, type CliWorld } from './cli-world.ts';
import { queryTests } from './query-tests.ts';

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
