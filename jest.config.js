export default {
  // Workers also where there are two cores only: a file that leaves something open cannot keep the whole run from ending.
  maxWorkers: '100%',
  testSequencer: '<rootDir>/scripts/lib/jest-sequencer.js',
  // Read by Node itself, not by Jest: the processes of a run are started with --conditions=@svc/source.
  globalSetup: '<rootDir>/scripts/lib/jest-setup.js',
  globalTeardown: '<rootDir>/scripts/lib/jest-teardown.js',
  extensionsToTreatAsEsm: ['.ts'],
  // A limit against hanging, generous for busy machines: speed is measured by benchmarks.
  testTimeout: 300_000,
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@svc/source', 'node', 'node-addons'] },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' }, sourceMaps: 'inline' },
    ],
  },
  testMatch: ['<rootDir>/{packages,services}/*/src/**/*.test.ts', '<rootDir>/scripts/**/*.test.ts', '<rootDir>/e2e/**/*.test.ts'],
  modulePathIgnorePatterns: ['/dist/'],
  // Upgrades, backups and database failures take minutes: they run if their folder is named, in CI as a separate step.
  testPathIgnorePatterns: [
    '/node_modules/',
    ...(process.argv.some((word) => word.includes('e2e/src/operations')) ? [] : ['/e2e/src/operations/']),
  ],
};
