import { apiTypeTests } from './api-type-tests.ts';
import { openCliWorld, type CliWorld } from './cli-world.ts';
import { credentialsPageTests, openPageSources, type PageSources } from './credentials-page-tests.ts';
import { pageTests } from './page-tests.ts';
import { queryTests } from './query-tests.ts';
import { resourceTests } from './resource-tests.ts';
import { sessionTests } from './session-tests.ts';
import { streamTests } from './stream-tests.ts';

let sources: PageSources;
let world: CliWorld;

beforeAll(async () => {
  sources = await openPageSources();
  world = await openCliWorld(sources.settings);
});

afterAll(async () => {
  await world.close();
  await sources.close();
});

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
describe('the page of credentials', () => {
  credentialsPageTests(
    () => world,
    () => sources,
  );
});
