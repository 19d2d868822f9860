import { randomUUID } from 'node:crypto';
import type { Permission } from '../../../src/common/access/permissions.js';
import { registerBundle } from '../../builders/bundle.js';
import { certificateParts, createCertificate } from '../../builders/certificate.js';
import { createChannel } from '../../builders/channel.js';
import { makePending } from '../../builders/deployment.js';
import { createDestination } from '../../builders/destination.js';
import { createGitConnection, linkRepository } from '../../builders/git-connection.js';
import { createDevice } from '../../builders/device.js';
import { createEnvironment } from '../../builders/environment.js';
import { createMember } from '../../builders/identities.js';
import { createIosSigning, profileParts } from '../../builders/provisioning-profile.js';
import { putPlan } from '../../builders/rollout-plan.js';
import { appleKeyFile, googleKeyFile } from '../../builders/store-key.js';
import { fileParts, form, type Form } from '../http/multipart.js';
import { importedManifest } from '../live-updates/imported-manifests.js';
import { importBody } from '../native-builds/imports.js';
import { makeProfile } from '../native-builds/apple/profile.js';
import { uploadSource } from '../native-builds/sources.js';
import { uniqueName } from '../unique-name.js';
import { type Caller, type Demand, isScoped, type Outcome } from './callers.js';
import { parameterOf, pathOf } from '../resources/resource.js';
import { resources } from '../resources/resources.js';
import { type Objects, parentOf } from './objects.js';

/** What a call sends besides its path. */
export interface Input {
  /** Without question mark. */
  readonly query?: string;
  readonly body?: object;
  readonly form?: Form;
}

/** What the document does not say about a route. */
export interface Row {
  /** What to send so that the route does its work; created for each allowed call. */
  readonly input?: (objects: Objects) => Input | Promise<Input>;
  /** What its service asks for besides the permission of the operation. */
  readonly also?: Demand | readonly Demand[];
  /** What else its service decides about those who have every permission. */
  readonly rule?: (caller: Caller) => Outcome;
  /** What those get who are allowed; by default any 2xx. */
  readonly answers?: readonly number[];
  /**
   * Whether it must not happen in the world of the other routes: it ends memberships or the organization, or an organization
   * can only do it one by one.
   */
  readonly alone?: boolean;
}

/** A route that works without a token. */
export interface PublicRow extends Row {
  readonly anonymous: Outcome;
  /** What a caller with a token needs; `null`: nothing. */
  readonly withToken: Demand | null;
}

const json =
  (body: object): Row['input'] =>
  () => ({ body });
const named = (): Input => ({ body: { name: uniqueName('name') } });
function fileForm(filename: string, content: string): Form {
  return form([{ name: 'file', content, filename }]);
}
/** A rollout plan that these actions were taken with. */
function withPlan(...actions: readonly string[]): Row['input'] {
  return async ({ app, ids }) => {
    await putPlan(app, ids['deploymentId'] ?? '', {}, ...actions);
    return {};
  };
}
/** An app that is linked to a repository. */
async function linked({ app }: Objects): Promise<Input> {
  await linkRepository(app);
  return {};
}
const everybody = (): Outcome => 'allowed';
/** What is not among the organizations or apps of a token needs one that is not limited to such. */
const unscoped = (caller: Caller): Outcome => (isScoped(caller) ? 403 : 'allowed');
/** What is the owner's own, and has to do with everything that it reaches. */
const ownersOwn = (caller: Caller): Outcome =>
  isScoped(caller) ? 403 : caller.role === 'owner' ? 'allowed' : 404;
const ownersToken = ({ role }: Caller): Outcome => (role === 'owner' ? 'allowed' : 404);
/** A token that is limited to some objects sees none that is wider than itself. */
const visibleToken = (caller: Caller): Outcome => (isScoped(caller) ? 404 : ownersToken(caller));
/** A token manages none that is wider than itself. */
const narrowerToken = (caller: Caller): Outcome =>
  caller.role === 'owner' && caller.limit !== null ? 403 : ownersToken(caller);
const ofOrganization = (permission: Permission): Demand => ({ of: 'organization', permission });
const ofApp = (permission: Permission): Demand => ({ of: 'app', permission });

const organization = '/v1/organizations/{organizationId}';
const team = `${organization}/teams/{teamId}`;
const app = '/v1/apps/{appId}';
const environment = `${app}/environments/{environmentId}`;
const deployment = `${app}/deployments/{deploymentId}`;
const share = '/v1/app-build-shares/{buildShareId}';
const files = `${app}/bundles/{bundleId}/files`;

/** The only routes without `x-permission`. */
export const publicRows: Readonly<Record<string, PublicRow>> = {
  'POST /v1/sessions/codes': { anonymous: 'allowed', withToken: null },
  // There is no such code.
  'POST /v1/sessions': {
    anonymous: 'allowed',
    withToken: null,
    answers: [404],
    input: json({ code: 'unknown', provider: 'code' }),
  },
  // The app does not allow channel discovery.
  [`GET ${app}/channels`]: { anonymous: 401, withToken: ofApp('channels:read') },
  [`GET ${app}/builds/{buildId}/artifacts/{buildArtifactId}/download`]: {
    anonymous: 401,
    withToken: ofApp('builds:read'),
  },
  [`GET ${share}`]: { anonymous: 'allowed', withToken: null },
  [`POST ${share}/unlock`]: {
    anonymous: 'allowed',
    withToken: null,
    input: json({ password: 'any password' }),
  },
  [`GET ${share}/icon`]: { anonymous: 'allowed', withToken: null },
  [`GET ${share}/artifacts/{buildArtifactId}/download`]: { anonymous: 'allowed', withToken: null },
  'GET /v1/ios-manifest-plist': {
    anonymous: 'allowed',
    withToken: null,
    // The address leads elsewhere.
    answers: [400],
    input: () => ({
      query: 'url=https://example.com/a.ipa&displayName=A&packageName=com.example.a&packageVersion=1',
    }),
  },
  'GET /v1/ios-udid-profile': {
    anonymous: 'allowed',
    withToken: null,
    // The address leads elsewhere.
    answers: [400],
    input: () => ({ query: 'callbackUrl=https://example.com/' }),
  },
  // There is no answer of a device.
  'POST /v1/ios-udid-profile/receive': {
    anonymous: 'allowed',
    withToken: null,
    input: () => ({}),
    // Few are read at once.
    answers: [400, 429],
  },
  // It proves nothing.
  'POST /v1/git-events/{provider}/{gitHookId}': {
    anonymous: 'allowed',
    withToken: null,
    answers: [404],
    input: json({}),
  },
  'GET /v1/qrcodes': { anonymous: 'allowed', withToken: null, input: () => ({ query: 'content=hello' }) },
  [`GET ${app}/bundles/{bundleId}/download`]: { anonymous: 'allowed', withToken: null },
  [`GET ${app}/bundles/{bundleId}/download/named`]: { anonymous: 'allowed', withToken: null },
  // There is none of a zip.
  [`GET ${app}/bundles/{bundleId}/download/zip`]: { anonymous: 'allowed', withToken: null, answers: [404] },
  // Deltas of zips are refused.
  [`GET ${app}/bundles/{bundleId}/delta`]: {
    anonymous: 'allowed',
    withToken: null,
    answers: [400],
    input: ({ ids }) => ({ query: `from=${ids['bundleId']}` }),
  },
  [`GET ${app}/bundles/latest`]: {
    anonymous: 'allowed',
    withToken: null,
    input: async ({ app }) => {
      await registerBundle(app);
      return { query: 'platform=0&osVersion=34&appVersionCode=10&appVersionName=1.0.0&pluginVersion=8.4.3' };
    },
  },
};

/** What POST and PATCH of the registered resources send. */
const registered: Readonly<Record<string, Row>> = Object.fromEntries(
  resources.flatMap((resource) => {
    const { create, update } = resource;
    const found: [string, Row][] = [];
    if (create !== undefined) {
      const input = async (objects: Objects): Promise<Input> => ({
        body: await resource.create?.(parentOf(resource, objects)),
      });
      found.push([`POST ${pathOf(resource)}`, { input }]);
    }
    if (update !== undefined) {
      found.push([`PATCH ${pathOf(resource)}/{${parameterOf(resource)}}`, { input: json(update) }]);
    }
    return found;
  }),
);

/**
 * What the document does not say. Routes that take a body must be here or in the registry of resources, and so must those
 * of an account permission, which says nothing about whose objects they reach.
 */
export const rows: Readonly<Record<string, Row>> = {
  ...registered,
  'GET /v1/event-types': { rule: everybody },
  'GET /v1/users/me': { rule: everybody },
  'GET /v1/users/me/access': { rule: everybody },
  'GET /v1/users/me/notices': { rule: everybody },
  'PATCH /v1/users/me/notices': { rule: everybody, alone: true, input: json({ health: true }) },
  'GET /v1/sessions': { rule: unscoped },
  'DELETE /v1/sessions/{sessionId}': {
    rule: ownersOwn,
  },
  'GET /v1/tokens': { rule: everybody },
  'POST /v1/tokens': { rule: everybody, input: named },
  'GET /v1/tokens/{tokenId}': { rule: visibleToken },
  'PATCH /v1/tokens/{tokenId}': { rule: narrowerToken, input: named },
  'DELETE /v1/tokens/{tokenId}': { rule: narrowerToken },
  'POST /v1/tokens/{tokenId}/rotate': { rule: narrowerToken, input: json({}) },
  [`POST ${organization}/runners/{runnerId}/rotate`]: { input: json({}) },
  [`POST ${organization}/webhooks/{webhookId}/rotate-secret`]: { input: json({}) },
  [`POST ${app}/webhooks/{webhookId}/rotate-secret`]: { input: json({}) },
  [`POST ${organization}/webhooks/{webhookId}/recover`]: { input: () => ({ body: { since: new Date() } }) },
  [`POST ${app}/webhooks/{webhookId}/recover`]: { input: () => ({ body: { since: new Date() } }) },
  [`POST ${organization}/webhooks/{webhookId}/deliveries/{webhookDeliveryId}/skip`]: {
    input: json({ reason: 'Not needed.' }),
  },
  [`POST ${app}/webhooks/{webhookId}/deliveries/{webhookDeliveryId}/skip`]: {
    input: json({ reason: 'Not needed.' }),
  },
  'GET /v1/invitations': { rule: unscoped },
  'POST /v1/invitations/{invitationId}/accept': { rule: ownersOwn },
  'POST /v1/invitations/{invitationId}/reject': { rule: ownersOwn },

  'GET /v1/organizations': {
    also: { of: 'anywhere', permission: 'organizations:read' },
    rule: everybody,
  },
  'POST /v1/organizations': { rule: unscoped, input: named },
  [`PATCH ${organization}`]: { input: named },
  [`DELETE ${organization}`]: { alone: true },
  // The last owner cannot leave.
  [`POST ${organization}/leave`]: { alone: true, answers: [204, 409] },
  [`POST ${organization}/transfer-ownership`]: {
    alone: true,
    input: async ({ world }) => ({
      body: { memberId: (await createMember(world.tenant, 'viewer')).memberId },
    }),
  },
  [`PATCH ${organization}/members/{memberId}`]: { input: json({ role: 'member' }) },
  [`POST ${organization}/invitations`]: {
    input: () => ({ body: { email: `${uniqueName('guest')}@example.com`, role: 'viewer' } }),
  },
  [`POST ${team}/apps`]: { input: ({ world }) => ({ body: { appId: world.app.id } }) },
  [`POST ${team}/members`]: { input: ({ world }) => ({ body: { memberId: world.memberId } }) },

  [`GET ${organization}/git-connections/resolve`]: {
    input: () => ({ query: 'remoteUrl=git@github.com:acme/shop.git' }),
  },
  // The server of the connection does not answer.
  [`GET ${organization}/git-connections/{gitConnectionId}/repositories`]: { answers: [400] },
  [`GET ${organization}/git-connections/{gitConnectionId}/namespaces`]: { answers: [400] },
  [`GET ${app}/repository`]: { input: linked },
  [`PUT ${app}/repository`]: {
    // With a connection of the app, which does not answer.
    answers: [400],
    input: async ({ app }) => ({
      body: {
        gitConnectionId: (await createGitConnection(app.tenant, { appId: app.id })).id,
        path: 'acme/shop',
      },
    }),
  },
  [`PATCH ${app}/repository`]: {
    input: async (objects) => ({
      ...(await linked(objects)),
      body: { submoduleRepositories: ['acme/shared-ui'] },
    }),
  },
  [`DELETE ${app}/repository`]: { input: linked },
  [`GET ${app}/repository/hook`]: { input: linked },
  // Its response names all apps of the organization with this repository.
  [`POST ${app}/repository/hook/rotate-secret`]: {
    alone: true,
    input: async ({ app }) => {
      await linkRepository(app, null, { provider: 'git_http' });
      return {};
    },
  },

  'GET /v1/apps': {
    also: ofOrganization('apps:read'),
    rule: everybody,
    input: ({ world }) => ({ query: `organizationId=${world.tenant.organizationId}` }),
  },
  'POST /v1/apps': {
    also: ofOrganization('apps:write'),
    rule: everybody,
    input: ({ world }) => ({ ...named(), query: `organizationId=${world.tenant.organizationId}` }),
  },
  [`GET ${organization}/app-summaries`]: {
    also: (['channels:read', 'deployments:read', 'builds:read'] as const).map((permission) => ({
      of: 'apps',
      permission,
    })),
    input: ({ world }) => ({ query: `ids=${world.app.id}` }),
  },
  'GET /v1/jobs': { input: ({ world }) => ({ query: `organizationId=${world.tenant.organizationId}` }) },
  'PATCH /v1/jobs/{jobId}': { input: json({ status: 'canceled' }) },
  [`PATCH ${app}`]: { input: named },
  // To where it is already: only the permission matters here.
  [`POST ${app}/transfer`]: {
    input: ({ world }) => ({ body: { organizationId: world.tenant.organizationId } }),
  },
  [`DELETE ${app}/channels`]: {
    input: async ({ app }) => ({ query: `name=${(await createChannel(app)).name}` }),
  },
  [`DELETE ${app}/environments`]: {
    input: async ({ app }) => ({ query: `name=${(await createEnvironment(app)).name}` }),
  },
  ...Object.fromEntries(
    ['variables', 'secrets'].flatMap((values) => {
      const one = `{${values === 'variables' ? 'environmentVariableId' : 'environmentSecretId'}}`;
      const value = (): Input => ({
        body: { key: uniqueName('KEY').replaceAll(/\W/g, '_'), value: 'value' },
      });
      return [
        [`POST ${environment}/${values}`, { input: value }],
        [`PATCH ${environment}/${values}/${one}`, { input: value }],
        [`POST ${environment}/${values}/set`, { input: json([{ key: 'A', value: 'value' }]) }],
        [`POST ${environment}/${values}/unset`, { input: json(['A']) }],
      ];
    }),
  ),
  [`DELETE ${app}/configurations`]: {
    input: async ({ app }) => {
      const name = uniqueName('configuration');
      await app.api.post(`${app.path}/configurations`, { name });
      return { query: `name=${name}` };
    },
  },
  [`POST ${app}/certificates`]: { alone: true, input: () => ({ form: form(certificateParts()) }) },
  [`DELETE ${app}/certificates`]: {
    alone: true,
    input: async ({ app }) => ({ query: `name=${(await createCertificate(app)).name}` }),
  },
  [`PATCH ${app}/certificates/{certificateId}`]: { alone: true, input: named },
  [`DELETE ${app}/certificates/{certificateId}`]: { alone: true },
  [`POST ${app}/provisioning-profiles`]: {
    alone: true,
    input: () => ({ form: form(profileParts(makeProfile())) }),
  },
  [`PATCH ${app}/provisioning-profiles`]: {
    alone: true,
    input: async ({ app }) => {
      const { certificateId, profiles } = await createIosSigning(app);
      return { query: `ids=${profiles[0]?.id}`, body: { appCertificateId: certificateId } };
    },
  },
  [`DELETE ${app}/provisioning-profiles/{provisioningProfileId}`]: { alone: true },
  [`POST ${app}/apple-api-keys`]: { input: () => ({ form: fileForm('key.p8', appleKeyFile) }) },
  [`POST ${app}/google-service-account-keys`]: {
    input: () => ({ form: fileForm('key.json', googleKeyFile()) }),
  },
  [`DELETE ${app}/destinations`]: {
    input: async ({ app }) => ({ query: `name=${(await createDestination(app)).name}` }),
  },
  [`POST ${app}/bundles`]: { input: json({ artifactType: 'zip' }) },
  [`POST ${app}/imported-manifests`]: { input: () => ({ form: importedManifest(randomUUID(), '[]') }) },
  [`PATCH ${app}/bundles/{bundleId}`]: { input: json({}) },
  [`PUT ${app}/bundles/{bundleId}/legal-hold`]: { input: json({ reason: 'Case 118' }) },
  [`POST ${files}`]: { input: () => ({ form: form(fileParts(uniqueName('zip'))) }) },
  [`POST ${app}/builds/{buildId}/shares`]: { input: json({ description: 'For the testers' }) },
  [`PATCH ${app}/builds/{buildId}/shares/{buildShareId}`]: {
    input: json({ description: 'For the testers' }),
  },
  [`POST ${app}/builds`]: {
    input: async ({ app }) => {
      const source = await uploadSource(app);
      return { body: { platform: 'web', appBuildSourceId: source } };
    },
  },
  // What an automation does takes its own permissions.
  [`POST ${app}/automations`]: { ...registered[`POST ${app}/automations`], also: ofApp('builds:write') },
  [`PATCH ${app}/automations/{automationId}`]: {
    ...registered[`PATCH ${app}/automations/{automationId}`],
    also: ofApp('builds:write'),
  },
  [`POST ${app}/automations/{automationId}/run`]: {
    // The server of the repository does not answer, and a look stops an automation that was not saved for it.
    answers: [400, 409],
    input: async (objects) => ({ ...(await linked(objects)), body: { gitRef: 'main' } }),
  },
  'POST /v1/apps/{appId}/build-sources': { input: () => ({ body: { fileSizeInBytes: 1000 } }) },
  'POST /v1/apps/{appId}/build-sources/{buildSourceId}/upload': {
    input: () => ({ query: 'action=mpu-create', body: {} }),
  },
  'PUT /v1/apps/{appId}/build-sources/{buildSourceId}/upload': {
    answers: [400],
    input: () => ({ query: 'action=mpu-uploadpart', form: form([{ name: 'partNumber', content: '1' }]) }),
  },
  [`POST ${app}/builds/imports`]: { input: () => ({ body: importBody(Buffer.from('apk')) }) },
  [`POST ${app}/builds/{buildId}/artifacts/{buildArtifactId}/upload`]: {
    input: () => ({ query: 'action=mpu-create', body: {} }),
  },
  [`PUT ${app}/builds/{buildId}/artifacts/{buildArtifactId}/upload`]: {
    answers: [400],
    input: () => ({ query: 'action=mpu-uploadpart', form: form([{ name: 'partNumber', content: '1' }]) }),
  },
  [`POST ${files}/{bundleFileId}/upload`]: { input: () => ({ query: 'action=mpu-create', body: {} }) },
  // There is no such upload, nor a part: what is wrong with the input is said to those who are allowed only.
  [`PUT ${files}/{bundleFileId}/upload`]: {
    answers: [400],
    input: () => ({ query: 'action=mpu-uploadpart', form: form([{ name: 'partNumber', content: '1' }]) }),
  },
  [`GET ${app}/decision`]: { input: () => ({ query: 'platform=0' }) },
  [`POST ${app}/simulations`]: {
    input: ({ app }) => ({ body: { change: 'pause', appChannelId: app.defaultChannelId } }),
  },
  [`POST ${app}/channels/{channelId}/pause`]: { input: json({}) },
  [`POST ${app}/channels/{channelId}/resume`]: { input: json({}) },
  [`POST ${deployment}/approvals`]: {
    input: async ({ app, ids, world }) => {
      // Users cannot approve their own deployments, and the owner creates them all, so another user has created this one.
      await makePending(app, ids['deploymentId'] ?? '', world.outsideTeams.userId);
      return { body: {} };
    },
  },
  // This deployment goes to a channel.
  [`POST ${deployment}/done`]: { answers: [404] },
  [`POST ${deployment}/release`]: { answers: [404], input: json({}) },
  [`POST ${deployment}/withdraw`]: { answers: [404] },
  [`GET ${deployment}/requests`]: { answers: [404] },
  [`GET ${deployment}/history`]: { answers: [404] },
  [`DELETE ${deployment}/approvals`]: {
    // Those who are allowed have not approved it.
    answers: [404],
    input: async ({ app, ids, world }) => {
      await makePending(app, ids['deploymentId'] ?? '', world.outsideTeams.userId);
      return {};
    },
  },
  [`POST ${deployment}/reject`]: {
    input: async ({ app, ids, world }) => {
      await makePending(app, ids['deploymentId'] ?? '', world.outsideTeams.userId);
      return { body: {} };
    },
  },
  [`GET ${deployment}/rollout-plan`]: { input: withPlan() },
  [`PUT ${deployment}/rollout-plan`]: { input: json({ steps: [{ percentage: 1 }] }) },
  [`DELETE ${deployment}/rollout-plan`]: { input: withPlan() },
  [`POST ${deployment}/rollout-plan/start`]: { input: withPlan() },
  [`POST ${deployment}/rollout-plan/hold`]: { input: withPlan('start') },
  [`POST ${deployment}/rollout-plan/resume`]: { input: withPlan('start', 'hold') },
  [`POST ${deployment}/rollout-plan/abort`]: { input: withPlan('start') },
  [`PATCH ${app}/devices`]: {
    input: async ({ app }) => ({
      query: `ids=${await createDevice(app)}`,
      body: { forcedAppChannelId: null },
    }),
  },
  [`GET ${app}/devices/warnings`]: {
    input: async ({ app }) => ({ query: `ids=${await createDevice(app)}` }),
  },
  [`DELETE ${app}/devices`]: { input: () => ({ query: 'customId=unknown' }) },
  [`GET ${app}/devices/export`]: { input: () => ({ query: 'customId=unknown' }) },
  [`GET ${app}/insights/devices`]: { input: () => ({ query: 'groupBy=channel' }) },
};
