import { query } from '../setup/databases.js';
import { testEnvironment } from '../setup/test-environment.js';
import { expectCreated } from '../support/http/expect-created.js';
import type { TestApp } from './app.js';
import { registerBundle } from './bundle.js';

/** A deployment as the API shows it. */
export interface TestDeployment {
  readonly id: string;
  readonly appBuildId: string;
  readonly appChannelId: string;
}

/** A deployment to the default channel, of a build of its own unless given. */
export async function createDeployment(app: TestApp, values: object = {}): Promise<TestDeployment> {
  const build = 'appBuildId' in values ? {} : { appBuildId: (await registerBundle(app)).buildId };
  return expectCreated(
    await app.api.post(`${app.path}/deployments`, {
      appChannelId: app.defaultChannelId,
      ...build,
      ...values,
    }),
  );
}

/** Makes a deployment one that another user has created and that one approval lets go live. */
export async function makePending(app: TestApp, id: string, createdByUserId: string): Promise<void> {
  await query(
    testEnvironment().databaseUrl,
    `UPDATE deployments SET approval_status = 'pending', required_approvals = 1, created_by_user_id = $3
      WHERE app_id = $1 AND id = $2`,
    [app.id, id, createdByUserId],
  );
}
