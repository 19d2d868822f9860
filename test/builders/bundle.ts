import type { Api } from '../support/http/api.js';
import { expectCreated } from '../support/http/expect-created.js';
import type { TestApp } from './app.js';

/** A bundle, and what came with it. */
export interface TestBundle {
  /** Calls as the owner of the app. */
  readonly api: Api;
  readonly appId: string;
  /** Also the id of the build artifact. */
  readonly id: string;
  /** `/v1/apps/{appId}/bundles/{id}` */
  readonly path: string;
  readonly buildId: string;
  readonly deploymentId: string | null;
}

/** A bundle that waits for its files, in manifest form unless the values say otherwise. */
export async function createBundle(
  app: Pick<TestApp, 'api' | 'id' | 'path'>,
  values: object = {},
): Promise<TestBundle> {
  const { id, appBuildId, appDeploymentId } = expectCreated<{
    id: string;
    appBuildId: string;
    appDeploymentId: string | null;
  }>(await app.api.post(`${app.path}/bundles`, { artifactType: 'manifest', ...values }));
  return {
    api: app.api,
    appId: app.id,
    id,
    path: `${app.path}/bundles/${id}`,
    buildId: appBuildId,
    deploymentId: appDeploymentId,
  };
}

/** A bundle that its owner hosts: ready and deployed with one request. */
export function registerBundle(app: TestApp, values: object = {}): Promise<TestBundle> {
  return createBundle(app, { artifactType: 'zip', url: 'https://cdn.example.com/bundle.zip', ...values });
}
