import { createCertificate } from '../builders/certificate.js';
import { createChannel } from '../builders/channel.js';
import { createDestination } from '../builders/destination.js';
import { createEnvironment } from '../builders/environment.js';
import { createTenant } from '../builders/identities.js';
import { makeObjects, type Objects, pathOf } from '../support/access/objects.js';
import { prefilledFor } from '../support/access/prefilled.js';
import { inputFor, rowOf, routes } from '../support/access/routes.js';
import { createWorld, type World } from '../support/access/world.js';
import { expectOpenApi } from '../support/http/expect-openapi.js';

/*
 * "Try it out" in Swagger UI works as it is prefilled: every operation of openapi.json is sent with the examples and defaults
 * of the document, and with the ids of real objects. New operations are found by themselves. One that fails needs another
 * example: `@ApiExample({ … })` on the DTO of its body, or `@example` on the field of its query or form.
 */

const app = '/v1/apps/{appId}';
const bundle = `${app}/bundles/{bundleId}`;

const gitConnection = '/v1/organizations/{organizationId}/git-connections/{gitConnectionId}';

/** Operations that cannot succeed as they are prefilled, with the status and the reason. */
const exceptions: Readonly<Record<string, readonly [status: number, reason: string]>> = {
  'GET /v1/ios-manifest-plist': [400, 'the file of the example is on another server'],
  'GET /v1/ios-udid-profile': [400, 'the page of the example is on another server'],
  'POST /v1/git-events/{provider}/{gitHookId}': [404, 'only the git server knows the secret'],
  'POST /v1/ios-udid-profile/receive': [400, 'only a device signs such a body'],
  'POST /v1/sessions': [404, 'a user has to approve the code in a browser first'],
  [`POST ${app}/certificates`]: [400, 'the user has to choose a file'],
  [`POST ${app}/provisioning-profiles`]: [400, 'the user has to choose a file'],
  [`POST ${app}/apple-api-keys`]: [400, 'the user has to choose a file'],
  [`POST ${app}/google-service-account-keys`]: [400, 'the user has to choose a file'],
  [`POST ${app}/imported-manifests`]: [400, 'the user has to choose a file'],
  [`PUT ${bundle}/files/{bundleFileId}/upload`]: [400, 'the user has to choose a file'],
  [`PUT ${app}/build-sources/{buildSourceId}/upload`]: [400, 'the user has to choose a file'],
  [`PUT ${app}/builds/{buildId}/artifacts/{buildArtifactId}/upload`]: [400, 'the user has to choose a file'],
  [`GET ${app}/deployments/{deploymentId}/requests`]: [404, 'the deployment of the test goes to a channel'],
  [`GET ${app}/deployments/{deploymentId}/history`]: [404, 'the deployment of the test goes to a channel'],
  [`POST ${app}/deployments/{deploymentId}/done`]: [404, 'the deployment of the test goes to a channel'],
  [`POST ${app}/deployments/{deploymentId}/release`]: [404, 'the deployment of the test goes to a channel'],
  [`POST ${app}/deployments/{deploymentId}/withdraw`]: [404, 'the deployment of the test goes to a channel'],
  [`DELETE ${app}/devices`]: [400, 'the user has to choose a custom id or ids'],
  [`DELETE ${app}/deployments/{deploymentId}/approvals`]: [404, 'the caller has to approve it first'],
  [`GET ${bundle}/download/zip`]: [
    404,
    'the bundle of the test is a zip, of which no other one is generated',
  ],
  [`GET ${bundle}/delta`]: [400, 'the bundles of the test are zips, which have no deltas'],
  [`PUT ${app}/repository`]: [400, 'the git server of the test does not answer'],
  [`GET ${gitConnection}/repositories`]: [400, 'the git server of the test does not answer'],
  [`GET ${gitConnection}/namespaces`]: [400, 'the git server of the test does not answer'],
  [`POST ${app}/automations/{automationId}/run`]: [400, 'the git server of the test does not answer'],
  [`POST ${app}/webhooks/{webhookId}/recover`]: [400, 'events of the time of the example are not kept'],
  [`POST /v1/organizations/{organizationId}/webhooks/{webhookId}/recover`]: [
    400,
    'events of the time of the example are not kept',
  ],
  [`POST /v1/organizations/{organizationId}/leave`]: [409, 'the caller is the last owner'],
};

/** What has to exist besides the objects of the path. */
const preparations: Readonly<Record<string, (objects: Objects) => Promise<unknown>>> = {
  [`DELETE ${app}/channels`]: (objects) => createChannel(objects.app, { name: 'beta' }),
  [`DELETE ${app}/environments`]: (objects) => createEnvironment(objects.app, { name: 'production' }),
  [`DELETE ${app}/configurations`]: ({ app: { api, path } }) =>
    api.post(`${path}/configurations`, { name: 'staging' }),
  [`DELETE ${app}/certificates`]: (objects) => createCertificate(objects.app, { name: 'Live updates 2026' }),
  [`DELETE ${app}/destinations`]: (objects) =>
    createDestination(objects.app, { name: 'Google Play, internal' }),
};

let shared: World;

beforeAll(async () => {
  shared = await createWorld();
});

it.each(routes.map((route) => [route.name, route] as const))('%s', async (name, route) => {
  const world = rowOf(route).alone === true ? await createWorld() : shared;
  const objects = await makeObjects(world, name);
  const input = await inputFor(route, objects);
  await preparations[name]?.(objects);
  const { query, json, form } = prefilledFor(route, objects, input);

  const path = `${pathOf(objects)}?${query}`.replace(/\?$/, '');
  // An app is created in the only organization of the caller, and the owner of a world has two.
  const { owner } = name === 'POST /v1/apps' ? await createTenant() : world.tenant;
  const request = owner.api.request(route.method, path);
  const contentType = form?.contentType ?? 'application/json';
  const content = form?.body ?? json;
  const response = await (content === undefined
    ? request
    : request.set('Content-Type', contentType).send(content));

  expectOpenApi(route.method, path, response);
  const [expected] = exceptions[name] ?? [];
  if (expected !== undefined) expect(response.status).toBe(expected);
  else if (!response.ok)
    throw new Error(`${response.status} ${response.text}\nfor ${path}\n${json ?? query}`);
});

it('has no exception that is not needed any more', () => {
  const names = routes.map(({ name }) => name);
  expect(Object.keys(exceptions).filter((name) => !names.includes(name))).toEqual([]);
});
