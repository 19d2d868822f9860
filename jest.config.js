import { availableParallelism } from 'node:os';

/** Suites over one transform: see docs/testing.md. */
const base = {
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
  extensionsToTreatAsEsm: ['.ts'],
  testEnvironment: '<rootDir>/test/setup/profiled-environment.ts',
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1.js', '$1.ts'] },
};

/** A suite against the built server. Jest runs the setup once, also for several of them. */
const blackBox = (displayName) => ({
  ...base,
  displayName,
  testMatch: [`<rootDir>/test/${displayName}/**/*.spec.ts`],
  globalSetup: '<rootDir>/test/setup/global-setup.ts',
  globalTeardown: '<rootDir>/test/setup/global-teardown.ts',
  testEnvironment: '<rootDir>/test/setup/environment.ts',
  setupFilesAfterEnv: ['<rootDir>/test/setup/retries.ts'],
});

export default {
  // Several times what a test takes on two quiet cores: a busy machine is not a failure.
  testTimeout: 300_000,
  // Most of the time is spent in other processes (the server, the database, the command-line tool), and some is waiting.
  maxWorkers: 2 * availableParallelism(),
  reporters: ['default', '<rootDir>/test/setup/retried-reporter.js'],
  testSequencer: './test/setup/sequencer.js',
  projects: [
    { ...base, displayName: 'unit', testMatch: ['<rootDir>/src/**/*.spec.ts'] },
    { ...base, displayName: 'architecture', testMatch: ['<rootDir>/test/architecture/**/*.spec.ts'] },
    blackBox('e2e'),
    blackBox('clients'),
    blackBox('faults'),
    blackBox('runner'),
    // They need a real S3 server: `npm run test:s3` starts one.
    ...(process.env['S3_ENDPOINT'] === undefined ? [] : [blackBox('s3')]),
    // They need Chromium, and the built console: `npm run test:console` builds it.
    ...(process.env['SLIPWAY_CONSOLE'] === undefined
      ? []
      : [{ ...blackBox('console'), testMatch: ['<rootDir>/console/test/**/*.spec.ts'] }]),
    // They need a JDK, and the plugins: `npm run test:plugins` prepares both.
    ...(process.env['SLIPWAY_PLUGINS'] === undefined ? [] : [blackBox('plugins')]),
  ],
};
