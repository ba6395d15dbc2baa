export default {
  extensionsToTreatAsEsm: ['.ts'],
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@svc/source', 'node', 'node-addons'] },
  transform: {
    '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' }, sourceMaps: 'inline' }],
  },
  testMatch: ['<rootDir>/{packages,services}/*/src/**/*.test.ts', '<rootDir>/e2e/**/*.test.ts'],
  modulePathIgnorePatterns: ['/dist/'],
};
