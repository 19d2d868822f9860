import { expectCreated } from '../support/expect-created.js';
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
