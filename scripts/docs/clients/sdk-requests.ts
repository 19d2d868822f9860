/** The version of `@capawesome/cloud-sdk` whose requests these are. */
export const SDK_VERSION = '0.1.3';

/**
 * The requests of the Node SDK by its resources: those of `client.apps.channels`, for example. The SDK is not a
 * dependency of this repository, so that this list is compared with openapi.json and not run.
 */
export const sdkRequests: Readonly<Record<string, readonly string[]>> = {
  users: ['GET /v1/users/me'],
  organizations: [
    'GET /v1/organizations',
    'POST /v1/organizations',
    'GET /v1/organizations/{id}',
    'PATCH /v1/organizations/{id}',
  ],
  'organizations.members': [
    'GET /v1/organizations/{id}/members',
    'DELETE /v1/organizations/{id}/members/{id}',
  ],
  'organizations.invitations': [
    'GET /v1/organizations/{id}/invitations',
    'POST /v1/organizations/{id}/invitations',
    'DELETE /v1/organizations/{id}/invitations/{id}',
  ],
  'organizations.teams': crud('/v1/organizations/{id}/teams'),
  'organizations.teams.apps': assignments('/v1/organizations/{id}/teams/{id}/apps'),
  'organizations.teams.members': assignments('/v1/organizations/{id}/teams/{id}/members'),
  'organizations.licenseKeys': [
    ...crud('/v1/organizations/{id}/license-keys'),
    'POST /v1/organizations/{id}/license-keys/{id}/rotate',
  ],
  'organizations.gitConnections': [
    ...crud('/v1/organizations/{id}/git-connections'),
    'GET /v1/organizations/{id}/git-connections/{id}/repositories',
    'GET /v1/organizations/{id}/git-connections/{id}/namespaces',
  ],
  apps: [...crud('/v1/apps'), 'POST /v1/apps/{id}/transfer'],
  'apps.repository': [
    'GET /v1/apps/{id}/repository',
    'PUT /v1/apps/{id}/repository',
    'DELETE /v1/apps/{id}/repository',
  ],
  'apps.channels': [
    ...crud('/v1/apps/{id}/channels'),
    'DELETE /v1/apps/{id}/channels',
    'POST /v1/apps/{id}/channels/{id}/pause',
    'POST /v1/apps/{id}/channels/{id}/resume',
  ],
  'apps.deployments': [
    'GET /v1/apps/{id}/deployments',
    'POST /v1/apps/{id}/deployments',
    'GET /v1/apps/{id}/deployments/{id}',
    'PATCH /v1/apps/{id}/deployments/{id}',
  ],
  'apps.devices': [
    'GET /v1/apps/{id}/devices',
    'GET /v1/apps/{id}/devices/{id}',
    'PATCH /v1/apps/{id}/devices/{id}',
    'DELETE /v1/apps/{id}/devices/{id}',
  ],
  'apps.builds': [
    'GET /v1/apps/{id}/builds',
    'POST /v1/apps/{id}/builds',
    'GET /v1/apps/{id}/builds/{id}',
    'PATCH /v1/apps/{id}/builds/{id}',
  ],
  'apps.builds.artifacts': [
    'GET /v1/apps/{id}/builds/{id}/artifacts',
    'GET /v1/apps/{id}/builds/{id}/artifacts/{id}/download',
    'GET /v1/apps/{id}/builds/{id}/artifacts/{id}/signed-download-url',
  ],
  'apps.buildSources': ['POST /v1/apps/{id}/build-sources', 'GET /v1/apps/{id}/build-sources/{id}/download'],
  'apps.certificates': [...crud('/v1/apps/{id}/certificates'), 'DELETE /v1/apps/{id}/certificates'],
  'apps.destinations': [...crud('/v1/apps/{id}/destinations'), 'DELETE /v1/apps/{id}/destinations'],
  'apps.environments': [...crud('/v1/apps/{id}/environments'), 'DELETE /v1/apps/{id}/environments'],
  'apps.environments.variables': withoutGet('/v1/apps/{id}/environments/{id}/variables'),
  'apps.environments.secrets': withoutGet('/v1/apps/{id}/environments/{id}/secrets'),
  'apps.configurations': [...crud('/v1/apps/{id}/configurations'), 'DELETE /v1/apps/{id}/configurations'],
  'apps.automations': crud('/v1/apps/{id}/automations'),
  'apps.webhooks': crud('/v1/apps/{id}/webhooks'),
  jobs: [
    'GET /v1/jobs',
    'GET /v1/jobs/{id}',
    'PATCH /v1/jobs/{id}',
    'GET /v1/jobs/{id}/logs',
    'POST /v1/jobs/{id}/failure-summary',
  ],
};

function crud(path: string): string[] {
  return [...withoutGet(path), `GET ${path}/{id}`];
}

function withoutGet(path: string): string[] {
  return [`GET ${path}`, `POST ${path}`, `PATCH ${path}/{id}`, `DELETE ${path}/{id}`];
}

function assignments(path: string): string[] {
  return [`GET ${path}`, `POST ${path}`, `DELETE ${path}/{id}`];
}
