/**
 * Who may import whom: docs/architecture.md explains why. An area may import the areas above it, never one below.
 */
const areas = [
  'accounts',
  'organizations',
  'apps',
  'notifications',
  'jobs',
  'native-builds',
  'app-submissions',
  'live-updates',
  'devices',
  'automations',
  'console',
];
const shared = [
  'common',
  'config',
  'database',
  'storage',
  'queue',
  'events',
  'mail',
  'pages',
  'rate-limits',
  'health',
  'metrics',
  'idempotency',
  'embedded-postgres',
];

const noUpwards = areas.map((area, index) => ({
  name: `${area}-imports-no-area-below-it`,
  severity: 'error',
  from: { path: `^src/${area}/` },
  to: { path: `^src/(${areas.slice(index + 1).join('|') || 'none'})/` },
}));

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...noUpwards,
    {
      name: 'shared-parts-know-no-area',
      severity: 'error',
      from: { path: `^src/(${shared.join('|')})/` },
      to: { path: `^src/(${areas.join('|')})/` },
    },
    {
      name: 'nothing-imports-commands',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(commands/|main\\.ts$)' },
      to: { path: '^src/commands/' },
    },
    {
      name: 'common-knows-no-database',
      severity: 'error',
      from: { path: '^src/common/' },
      to: { path: '(^src/(database|storage)/|node_modules/(typeorm|pg)/)' },
    },
    {
      name: 'only-queries-import-sql',
      comment:
        'Services inject the queries of `*.queries.ts`, so that their constructors show what they depend on.',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.queries\\.ts$|^src/database/database\\.module\\.ts$' },
      to: { path: '^src/database/sql\\.ts$' },
    },
    {
      name: 'only-transactions-and-outages-know-the-data-source-of-the-process',
      comment: 'Everything else gets the data source, `Sql` or repositories injected.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: '^src/database/(database\\.module|change-signals|transactions/transaction)\\.ts$',
      },
      to: { path: '^src/database/transactions/transactional-data-source\\.ts$' },
    },
    {
      name: 'nothing-imports-the-lists-of-all-areas',
      comment:
        'Lists of the entities and the sealed columns of all areas: for the application and for commands.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: '^src/commands/' },
      to: { path: '^src/[^/]+\\.ts$' },
    },
    {
      name: 'builds-and-submissions-are-apart',
      severity: 'error',
      from: { path: '^src/native-builds/' },
      to: { path: '^src/app-submissions/' },
    },
    {
      name: 'submissions-and-builds-are-apart',
      comment: 'Deployments hand over the files and facts of artifacts.',
      severity: 'error',
      from: { path: '^src/app-submissions/' },
      to: { path: '^src/native-builds/' },
    },
    {
      name: 'device-side-imports-almost-nothing',
      comment: 'Every check runs here: entities, common, config, database and the registry of metrics only.',
      severity: 'error',
      from: { path: '^src/devices/(channel-decision|releases|check-ins|update-check)/' },
      to: {
        path: '^src/',
        pathNot:
          '^src/(devices/(channel-decision|releases|check-ins|update-check)/|common/|config/|database/|metrics/metrics\\.ts$)|\\.entity\\.ts$',
      },
    },
    {
      name: 'releases-know-no-other-folder',
      comment: 'The pure core: release table, decision, rollout, versions, cache.',
      severity: 'error',
      from: { path: '^src/devices/(channel-decision|releases)/' },
      to: { path: '^src/devices/(?!(channel-decision|releases)/)', pathNot: '\\.entity\\.ts$' },
    },
    {
      name: 'runner-knows-only-the-wire',
      comment: 'The runner is another program: types of requests and responses, and parts without a server.',
      severity: 'error',
      from: { path: '^src/runner/' },
      to: {
        path: '^src/',
        pathNot:
          '^src/(runner/|common/secrets/(secret-masker|clean-lines|terminal-sequences)\\.ts$|common/process/stop-signals\\.ts$|common/archives/|common/keystores/|common/provisioning-profiles\\.ts$|common/(read-plist|reserved-variables)\\.ts$|common/http/outbound/metadata-addresses\\.ts$|config/version\\.ts$)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'only-commands-import-the-runner',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(runner|commands)/' },
      to: { path: '^src/runner/' },
    },
    {
      name: 'one-file-imports-the-parser-of-xcode-projects',
      comment: 'An alpha of one maintainer: the file says what replaces it.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/runner/drivers/ios/xcode-project/xcode-files\\.ts$' },
      to: { path: 'node_modules/@bacons/' },
    },
    {
      name: 'no-typeorm-in-the-http-layer',
      severity: 'error',
      from: { path: '^src/.*\\.(controller|guard|dto|decorator|filter|middleware)\\.ts$' },
      to: { path: 'node_modules/(typeorm|@nestjs/typeorm|pg)/' },
    },
    {
      name: 'entities-import-only-entities',
      severity: 'error',
      from: { path: '\\.entity\\.ts$' },
      to: {
        path: '^src/',
        pathNot:
          '\\.entity\\.ts$|^src/database/schema/columns\\.ts$|^src/common/(apple-platforms|build-numbers|provisioning-profiles|freezes/freeze-window)\\.ts$|^src/common/access/(permissions|session-token|token-scope)\\.ts$',
      },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-development-dependencies',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$|^src/embedded-postgres/postgres-binaries\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the-console-knows-the-api-only',
      comment: 'Its types come from openapi.json. Its tests may use those of the server.',
      severity: 'error',
      from: { path: '^console/src/' },
      to: { path: '^(src|test|scripts|migrations)/' },
    },
    {
      name: 'the-server-knows-no-console',
      severity: 'error',
      from: { path: '^(src|scripts|migrations)/' },
      to: { path: '^console/' },
    },
    {
      name: 'screens-know-no-other-screen',
      severity: 'error',
      from: { path: '^console/src/screens/([^/]+)/' },
      to: { path: '^console/src/screens/', pathNot: '^console/src/screens/$1/' },
    },
    {
      name: 'parts-and-api-know-no-screen',
      severity: 'error',
      from: { path: '^console/src/(parts|api)/' },
      to: { path: '^console/src/(screens|app)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.spec\\.ts$' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
