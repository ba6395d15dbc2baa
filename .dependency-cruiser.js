/** The room rules: allowed imports. Each package.json is the list of what its package may use. */

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment:
        'Two files that need each other are one file, or miss a third one; a walk over a tree reaches its dispatcher through its context.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'only-through-the-index',
      comment: 'A package is used through its index.',
      severity: 'error',
      from: { path: '^(packages|services)/([^/]+)/' },
      to: { path: '^(packages|services)/[^/]+/', pathNot: ['^$1/$2/', '^packages/[^/]+/src/index\\.ts$'] },
    },
    {
      name: 'no-import-of-a-service',
      comment: 'Services never import one another, and no package knows a service.',
      severity: 'error',
      from: { path: '^(packages|services)/([^/]+)/' },
      to: { path: '^services/', pathNot: '^$1/$2/' },
    },
    {
      name: 'declared-only',
      comment: 'What is imported stands in the package.json of the one who imports it.',
      severity: 'error',
      from: { pathNot: ['\\.test\\.ts$', '/(testing|goldens)/', '^packages/(?:cli|console)/', '^e2e/'] },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'], pathNot: '@types/' },
    },
    {
      name: 'declared-only-in-tests',
      comment:
        'A test may use devDependencies too, and @jest/globals of the root; so may the console and the command line, which are bundled, and e2e.',
      severity: 'error',
      from: { path: ['\\.test\\.ts$', '/(testing|goldens)/', '^packages/(?:cli|console)/', '^e2e/'] },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], pathNot: '(@jest/globals|@types/)' },
    },
    {
      name: 'resolvable-only',
      comment: 'An import that cannot be resolved is a typing error or a package that is not declared.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'pure-language',
      comment: 'The language is pure: no Node built-in, no driver, no logger, no engine; re2js alone is allowed.',
      severity: 'error',
      from: { path: '^packages/query-language/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^packages/query-language/', '/re2js/'] },
    },
    {
      name: 'one-room-knows-duckdb',
      severity: 'error',
      from: { pathNot: ['^packages/query-engine/', '^bench/'] },
      to: { path: '@duckdb/' },
    },
    {
      name: 'decoding-threads-load-no-engine',
      comment: 'A thread that decodes files starts without DuckDB.',
      severity: 'error',
      from: { path: '^packages/sources/src/decoders/threads/decode-worker\\.ts$' },
      to: { path: '^packages/query-engine/', reachable: true },
    },
    {
      name: 'analyses-know-plans-only',
      comment: 'An analysis returns facts about a plan. It prints no SQL and changes no plan.',
      severity: 'error',
      from: { path: '^packages/query-engine/src/analysis/', pathNot: '\\.test\\.ts$' },
      to: { path: '^packages/query-engine/src/(?!analysis/)' },
    },
    {
      name: 'only-the-printer-quotes',
      comment: 'The lowering builds a tree of SQL: names and literals are nodes, and the printer quotes them.',
      severity: 'error',
      from: { path: '^packages/query-engine/src/lowering/', pathNot: '\\.test\\.ts$' },
      to: { path: '^packages/query-engine/src/representation/sql-text' },
    },
    {
      name: 'rewrites-know-analyses-only',
      comment: 'A rewrite turns a plan into a plan. It prints no SQL.',
      severity: 'error',
      from: { path: '^packages/query-engine/src/rewrite/', pathNot: '\\.test\\.ts$' },
      to: { path: '^packages/query-engine/src/(?!analysis/|rewrite/)' },
    },
    {
      name: 'test-helpers-in-tests-only',
      comment: 'local-stack, reference-evaluator and test-kit never run in a service, local-authorization only in the one of local use.',
      severity: 'error',
      from: {
        path: '^(packages|services)/',
        pathNot: [
          '\\.test\\.ts$',
          '/testing/',
          '^packages/(local-authorization|local-stack|reference-evaluator|test-kit)/',
          '^services/authorization/',
        ],
      },
      to: { path: '^packages/(local-authorization|local-stack|reference-evaluator|test-kit)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@svc/source', 'import', 'node', 'default', 'types'],
    },
  },
};
