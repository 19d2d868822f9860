import { expectCreated } from '../support/http/expect-created.js';
import { uniqueName } from '../support/unique-name.js';
import type { TestApp } from './app.js';

/** An environment as the API shows it. */
export interface TestEnvironment {
  readonly id: string;
  readonly name: string;
  /** `/v1/apps/{appId}/environments/{id}` */
  readonly path: string;
}

/** An environment of the app, under a name of its own unless given. */
export async function createEnvironment(app: TestApp, values: object = {}): Promise<TestEnvironment> {
  const path = `${app.path}/environments`;
  const body = { name: uniqueName('environment'), ...values };
  const created = expectCreated<{ id: string; name: string }>(await app.api.post(path, body));
  return { ...created, path: `${path}/${created.id}` };
}

/** A variable of the environment, under a key of its own. */
export const createVariable = (app: TestApp, environmentId: string) =>
  create(app, environmentId, 'variables');

/** A secret of the environment, under a key of its own. */
export const createSecret = (app: TestApp, environmentId: string) => create(app, environmentId, 'secrets');

async function create(app: TestApp, environmentId: string, what: string): Promise<{ id: string }> {
  const body = { key: uniqueName('KEY').replaceAll(/\W/g, '_'), value: 'some value' };
  return expectCreated(await app.api.post(`${app.path}/environments/${environmentId}/${what}`, body));
}
