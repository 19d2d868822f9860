/** What the global setup hands to the spec files, through one environment variable. */
export interface TestEnvironment {
  /** Origin of the server under test. */
  readonly origin: string;
  /** Address of its database. */
  readonly databaseUrl: string;
  /** Address of a migrated, empty database that can be cloned. */
  readonly templateUrl: string;
  /** The server's `DATA_DIR`. */
  readonly dataDir: string;
}

const VARIABLE = 'SLIPWAY_TEST_ENVIRONMENT';

/** Called by the global setup. */
export function setTestEnvironment(environment: TestEnvironment): void {
  process.env[VARIABLE] = JSON.stringify(environment);
}

/** Called by spec files. */
export function testEnvironment(): TestEnvironment {
  const text = process.env[VARIABLE];
  if (text === undefined) throw new Error('The global setup did not run.');
  return JSON.parse(text) as TestEnvironment;
}
