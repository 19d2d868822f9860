import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtDatabase } from './built.ts';
import { cloneDatabase, closeToPrograms } from './databases.ts';
import { keepForTeardown } from './running.ts';
import { startServer } from './server.ts';
import { setTestEnvironment } from './test-environment.ts';

/** Suites of every route make more for one user, organization and app than people do. */
const NO_LIMITS = {
  MAX_TOKENS_PER_USER: '0',
  MAX_ENVIRONMENTS_PER_APP: '0',
  MAX_AUTOMATIONS_PER_APP: '0',
  MAX_CONFIGURATIONS_PER_APP: '0',
  MAX_CERTIFICATES_PER_APP: '0',
  MAX_GIT_CONNECTIONS_PER_ORGANIZATION: '0',
  MAX_WEBHOOKS_PER_ORGANIZATION: '0',
};

/** Starts one PostgreSQL with a migrated template, and one built server on a clone of it, for all e2e specs. */
export default async function globalSetup(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-test-'));
  // A crash of the machine does not matter to a test database.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '300',
  };
  const { migrate, startEmbeddedPostgres } = await builtDatabase();
  const postgres = await startEmbeddedPostgres({ dataDir: folder, settings });
  await migrate(postgres.url);
  await closeToPrograms(postgres.url);
  const databaseUrl = await cloneDatabase(postgres.url);
  const server = await startServer(
    {
      ...NO_LIMITS,
      DATABASE_URL: databaseUrl,
      DATA_DIR: folder,
      // Also on a busy machine.
      WARNINGS_MAX_MILLISECONDS: '10000',
    },
    { keepLog: '500' },
  );
  keepForTeardown({ postgres, server, folder });
  setTestEnvironment({ origin: server.origin, databaseUrl, templateUrl: postgres.url, dataDir: folder });
}
