import { query } from '../../setup/databases.js';
import { type ServerProcess, startServer } from '../../setup/server.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { TestProvider } from './test-provider.js';
import { Visitor } from './visitor.js';

/** A server that signs people in by an OpenID provider, both of a test's own. */
export interface OidcSite {
  readonly provider: TestProvider;
  readonly server: ServerProcess;
  newVisitor(): Visitor;
  stop(): Promise<void>;
}

/** @param env variables besides those of the provider */
export async function startOidcSite(env: Readonly<Record<string, string>> = {}): Promise<OidcSite> {
  const { databaseUrl, dataDir } = testEnvironment();
  const provider = await TestProvider.start();
  const server = await startServer({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ...provider.env, ...env });
  return {
    provider,
    server,
    newVisitor: () => new Visitor(server.origin),
    stop: async () => {
      await server.stop();
      await provider.stop();
    },
  };
}

/** The user that a provider's user is. */
export async function userIdOf(provider: TestProvider, subject: string): Promise<string | null> {
  const [found] = await query<{ user_id: string }>(
    testEnvironment().databaseUrl,
    'SELECT user_id FROM user_identities WHERE issuer = $1 AND subject = $2',
    [provider.issuer, subject],
  );
  return found?.user_id ?? null;
}

/** How users proved their identity, of all sessions of a user, oldest first. */
export function sessionsOf(
  userId: string | null,
): Promise<{ kind: string; method: string; second_factor: boolean }[]> {
  return query(
    testEnvironment().databaseUrl,
    `SELECT kind, method, second_factor_at > now() - interval '1 hour' AND second_factor_at <= now() IS TRUE AS second_factor
       FROM sessions WHERE user_id = $1 ORDER BY created_at`,
    [userId],
  );
}
