import { availableParallelism } from 'node:os';

/** What the tests of all projects have in common. */
const common = {
  // Node loads the sources, as it does for services: the files of a worker share its modules.
  runtime: '<rootDir>/scripts/lib/jest-runtime.js',
  testEnvironment: '<rootDir>/scripts/lib/jest-environment.js',
  transform: {},
  modulePathIgnorePatterns: ['/dist/'],
  // Upgrades, backups and database failures take minutes: they run if their folder is named, in CI as a separate step.
  testPathIgnorePatterns: [
    '/node_modules/',
    ...(process.argv.some((word) => word.includes('e2e/src/operations')) ? [] : ['/e2e/src/operations/']),
  ],
};

/** PostgreSQL, Kafka and an object store for a run. Read by Node itself, not by Jest: a run is started with --conditions=@svc/source. */
const servers = {
  globalSetup: '<rootDir>/scripts/lib/jest-setup.js',
  globalTeardown: '<rootDir>/scripts/lib/jest-teardown.js',
};

const LANGUAGE = '{query-language,reference-evaluator,text-formats}';
const ENGINE = '{query-engine,query-runtime,sources}';

export default {
  // More than cores, since tests wait for other processes; a file that leaves something open cannot keep a whole run from ending.
  maxWorkers: availableParallelism() + 1,
  testSequencer: '<rootDir>/scripts/lib/jest-sequencer.js',
  // A limit against hanging, generous for busy machines: speed is measured by benchmarks.
  testTimeout: 300_000,
  // `pnpm jest --selectProjects language` runs one of them.
  projects: [
    { ...common, displayName: 'language', testMatch: [`<rootDir>/packages/${LANGUAGE}/src/**/*.test.ts`] },
    { ...common, ...servers, displayName: 'engine', testMatch: [`<rootDir>/packages/${ENGINE}/src/**/*.test.ts`] },
    {
      ...common,
      ...servers,
      displayName: 'services',
      testMatch: [
        `<rootDir>/packages/!(${[LANGUAGE, ENGINE].map((names) => names.slice(1, -1).replaceAll(',', '|')).join('|')})/src/**/*.test.ts`,
        '<rootDir>/services/*/src/**/*.test.ts',
        '<rootDir>/scripts/**/*.test.ts',
        '<rootDir>/e2e/**/*.test.ts',
      ],
    },
  ],
};
