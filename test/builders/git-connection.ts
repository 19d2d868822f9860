import { v7 as uuid } from 'uuid';
import { query } from '../setup/databases.js';
import { testEnvironment } from '../setup/test-environment.js';
import type { NginxGitServer } from '../support/git/nginx-git-server.js';
import { expectCreated } from '../support/http/expect-created.js';
import { uniqueName } from '../support/unique-name.js';
import type { TestApp } from './app.js';
import type { Actor, Site, Tenant } from './identities.js';

/** A git server that no one listens at. */
export const DEAD_SERVER = 'http://127.0.0.1:9';

/** A git connection as the API shows it, and the way to it. */
export interface TestGitConnection {
  readonly id: string;
  readonly name: string;
  /** `/v1/organizations/{id}/git-connections/{id}` */
  readonly path: string;
}

/**
 * A git connection of the tenant, to a server that does not answer unless `values` say another.
 *
 * @param actor who creates it; by default the owner
 */
export async function createGitConnection(
  { organizationId, owner }: Tenant,
  values: object = {},
  actor: Actor = owner,
): Promise<TestGitConnection> {
  const path = `/v1/organizations/${organizationId}/git-connections`;
  const body = {
    provider: 'gitea',
    authKind: 'token',
    token: 'secret-token',
    baseUrl: DEAD_SERVER,
    name: uniqueName('git'),
    ...values,
  };
  const shown = expectCreated<TestGitConnection>(await actor.api.post(path, body));
  return { ...shown, path: `${path}/${shown.id}` };
}

/** Links an app to a repository without asking its server. */
export async function linkRepository(
  app: TestApp,
  gitConnectionId: string | null = null,
  { site = testEnvironment(), provider = 'gitea' }: { site?: Site; provider?: 'gitea' | 'git_http' } = {},
): Promise<void> {
  await query(
    site.databaseUrl,
    `INSERT INTO app_repositories (id, app_id, git_connection_id, provider, provider_base_url, provider_repository_id,
                                   name, path, web_url)
     VALUES ($1, $2, $3, $6, $4, '1', 'shop', 'acme/shop', $5)`,
    [uuid(), app.id, gitConnectionId, DEAD_SERVER, `${DEAD_SERVER}/acme/shop`, provider],
  );
}

/** Links an app to a private repository of a server, whose path is `path`. */
export async function linkPrivateRepository(
  app: TestApp,
  server: NginxGitServer,
  path: string,
): Promise<void> {
  const { id } = await createGitConnection(app.tenant, {
    provider: 'git_http',
    authKind: 'basic',
    token: undefined,
    username: server.username,
    password: server.password,
    baseUrl: server.origin,
  });
  const response = await app.api.put(`${app.path}/repository`, { gitConnectionId: id, path });
  if (response.status !== 200)
    throw new Error(`Linking ${path}: ${response.status} ${JSON.stringify(response.body)}`);
}
