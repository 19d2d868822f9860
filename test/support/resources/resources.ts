import { depth } from '../../setup/depth.js';
import type { TestApp } from '../../builders/app.js';
import { createAutomation } from '../../builders/automation.js';
import { registerBundle } from '../../builders/bundle.js';
import { createCertificate } from '../../builders/certificate.js';
import { createChannel } from '../../builders/channel.js';
import { createDeployment } from '../../builders/deployment.js';
import { createDestination } from '../../builders/destination.js';
import { createDevice } from '../../builders/device.js';
import { createEnvironment } from '../../builders/environment.js';
import { createGitConnection, DEAD_SERVER } from '../../builders/git-connection.js';
import { createLicenseKey } from '../../builders/license-key.js';
import { createProfile } from '../../builders/provisioning-profile.js';
import { createRunner } from '../../builders/runner.js';
import { createTeam } from '../../builders/team.js';
import { createWebhook, WEBHOOK_URL } from '../../builders/webhook.js';
import { expectCreated } from '../http/expect-created.js';
import { uniqueName } from '../unique-name.js';
import { idOf, NUMBERS, OWNER } from './list-rows.js';
import { ofApp, ofOrganization } from './parents.js';
import type { Resource, WrongBody } from './resource.js';

const wrongChannel: WrongBody = {
  body: { name: 5, protected: 'yes', expiresAt: 'soon' },
  fields: ['name', 'protected', 'expiresAt'],
};

/** A deployment of a registered bundle. Registering deploys nothing, because the app then has no default channel. */
async function deploymentBody(app: TestApp): Promise<object> {
  await app.api.patch(app.path, { appChannelId: null });
  const { buildId } = await registerBundle(app);
  return { appBuildId: buildId, appChannelId: app.defaultChannelId };
}

const channels: Resource<TestApp> = {
  parent: ofApp,
  name: 'channels',
  make: async (app) => (await createChannel(app)).id,
  create: () => ({ name: uniqueName('channel') }),
  update: { protected: true },
  wrongCreates: [{ body: {}, fields: ['name'] }, { body: { name: null }, fields: ['name'] }, wrongChannel],
  wrongUpdates: [{ body: { name: null }, fields: ['name'] }, wrongChannel],
  uniqueName: 'name',
  initially: 1,
};

const builds: Resource<TestApp> = {
  parent: ofApp,
  name: 'builds',
  make: async (app) => (await registerBundle(app)).buildId,
  update: { displayName: 'Spring' },
  wrongUpdates: [
    {
      body: { displayName: 5, minIosAppVersionCode: 'one two', customProperties: { a: 1 } },
      fields: ['displayName', 'minIosAppVersionCode', 'customProperties'],
    },
  ],
};

const deployments: Resource<TestApp> = {
  parent: ofApp,
  name: 'deployments',
  make: async (app) => (await createDeployment(app, await deploymentBody(app))).id,
  create: deploymentBody,
  update: { rolloutPercentage: 0.5 },
  wrongCreates: [
    { body: {}, fields: ['appBuildId'] },
    {
      body: { appBuildId: 'x', appChannelId: 5, rolloutPercentage: '1' },
      fields: ['appBuildId', 'appChannelId', 'rolloutPercentage'],
    },
  ],
  wrongUpdates: [
    { body: {}, fields: ['rolloutPercentage'] },
    { body: { rolloutPercentage: null }, fields: ['rolloutPercentage'] },
  ],
};

const devices: Resource<TestApp> = {
  parent: ofApp,
  name: 'devices',
  make: (app) => createDevice(app),
  update: { forcedAppChannelId: null },
  wrongUpdates: [{ body: { forcedAppChannelId: 'production' }, fields: ['forcedAppChannelId'] }],
};

const wrongTeam: WrongBody = { body: { name: 5, description: 5 }, fields: ['name', 'description'] };

const wrongRunner: WrongBody = {
  body: { name: 5, labels: ['a b'], platforms: [], appIds: ['x'], paused: 'yes' },
  fields: ['name', 'labels', 'platforms', 'appIds', 'paused'],
};

const runners: Resource = {
  parent: ofOrganization,
  name: 'runners',
  hasShared: true,
  make: async ({ tenant }) => (await createRunner(tenant, {}, null)).id,
  create: () => ({ name: uniqueName('runner') }),
  update: { paused: true },
  wrongCreates: [{ body: {}, fields: ['name'] }, wrongRunner],
  wrongUpdates: [{ body: { name: null }, fields: ['name'] }, wrongRunner],
  refusesUnknownFields: true,
  rows: `INSERT INTO runners (id, organization_id, name, hash, last_four)
         SELECT ${idOf('runner')}, ${OWNER}, 'runner ' || n, md5('runner' || n), '0000' FROM ${NUMBERS}`,
};

const teams: Resource = {
  parent: ofOrganization,
  name: 'teams',
  make: async ({ tenant }) => (await createTeam(tenant)).id,
  create: () => ({ name: uniqueName('team') }),
  update: { description: 'All who work on the shop.' },
  wrongCreates: [{ body: {}, fields: ['name'] }, wrongTeam],
  wrongUpdates: [{ body: { name: null }, fields: ['name'] }, wrongTeam],
  uniqueName: 'name',
  rows: `INSERT INTO teams (id, organization_id, name, name_lower)
         SELECT ${idOf('team')}, ${OWNER}, 'team ' || n, 'team ' || n FROM ${NUMBERS}`,
};

const licenseKeys: Resource = {
  parent: ofOrganization,
  name: 'license-keys',
  make: async ({ tenant }) => (await createLicenseKey(tenant)).id,
  create: () => ({ name: uniqueName('key') }),
  update: { name: 'Mobile team' },
  wrongCreates: [{ body: { packageIds: 'all' }, fields: ['name', 'packageIds'] }],
  wrongUpdates: [{ body: { name: null, packageIds: ['x'] }, fields: ['name', 'packageIds'] }],
};

const environments: Resource<TestApp> = {
  parent: ofApp,
  name: 'environments',
  make: async (app) => (await createEnvironment(app)).id,
  create: () => ({ name: uniqueName('environment') }),
  update: { name: 'production' },
  wrongCreates: [
    { body: {}, fields: ['name'] },
    {
      body: { name: 5, allowedRefs: ['[a]'], protected: 'yes' },
      fields: ['name', 'allowedRefs', 'protected'],
    },
  ],
  wrongUpdates: [
    {
      body: { name: null, allowedRefs: null, protected: null },
      fields: ['name', 'allowedRefs', 'protected'],
    },
    { body: { allowedRefs: 'main' }, fields: ['allowedRefs'] },
  ],
  uniqueName: 'name',
  rows: `INSERT INTO environments (id, app_id, name, name_lower)
         SELECT ${idOf('environment')}, ${OWNER}, 'environment ' || n, 'environment ' || n FROM ${NUMBERS}`,
};

const configurations: Resource<TestApp> = {
  parent: ofApp,
  name: 'configurations',
  make: async (app) => {
    const body = { name: uniqueName('configuration') };
    return expectCreated<{ id: string }>(await app.api.post(`${app.path}/configurations`, body)).id;
  },
  create: () => ({ name: uniqueName('configuration'), packageName: 'com.example.shop' }),
  update: { displayName: 'Shop', packageName: null },
  wrongCreates: [
    { body: {}, fields: ['name'] },
    {
      body: { name: 'x', displayName: ' ', packageName: 'shop', versionName: '', buildNumber: 0 },
      fields: ['displayName', 'packageName', 'versionName', 'buildNumber'],
    },
    {
      body: { name: 'x', buildNumberOffset: 2_100_000_000, formFactor: 'watch' },
      fields: ['buildNumberOffset', 'formFactor'],
    },
  ],
  wrongUpdates: [{ body: { name: null, packageName: 5 }, fields: ['name', 'packageName'] }],
  uniqueName: 'name',
  rows: `INSERT INTO configurations (id, app_id, name, name_lower)
         SELECT ${idOf('configuration')}, ${OWNER}, 'configuration ' || n, 'configuration ' || n FROM ${NUMBERS}`,
};

const automations: Resource<TestApp> = {
  parent: ofApp,
  name: 'automations',
  make: async (app) => (await createAutomation(app)).id,
  create: () => ({ name: uniqueName('automation'), platform: 'web', triggerType: 'tag' }),
  update: { triggerPatterns: ['main', 'release/*'] },
  wrongCreates: [
    { body: {}, fields: ['name', 'platform', 'triggerType'] },
    { body: { name: 'x', platform: 'web', triggerType: 'schedule' }, fields: ['triggerType'] },
    {
      body: {
        name: 5,
        platform: 'linux',
        triggerType: 'push',
        triggerPattern: 'a b',
        triggerPatterns: 'main',
        commitMessagePattern: '',
        buildType: 5,
        buildStack: 'Mac OS',
        appChannelId: 'production',
        appChannelIds: ['production'],
        appChannelNames: [5],
        appEnvironmentName: ' ',
        enabled: 'yes',
      },
      fields: [
        'name',
        'platform',
        'triggerType',
        'triggerPattern',
        'triggerPatterns',
        'commitMessagePattern',
        'buildType',
        'buildStack',
        'appChannelId',
        'appChannelIds',
        'appChannelNames',
        'appEnvironmentName',
        'enabled',
      ],
    },
  ],
  wrongUpdates: [
    { body: { name: null, platform: null, enabled: null }, fields: ['name', 'platform', 'enabled'] },
    { body: { triggerPatterns: ['x'.repeat(10_000)] }, fields: ['triggerPatterns'] },
    { body: { triggerPatterns: ['refs/tags/v*'] }, fields: ['triggerPatterns'] },
    { body: { buildType: 'release' }, fields: ['buildType'] },
  ],
  uniqueName: 'name',
  rows: `INSERT INTO automations (id, app_id, name, name_lower, platform, trigger_type)
         SELECT ${idOf('automation')}, ${OWNER}, 'automation ' || n, 'automation ' || n, 'web', 'branch'
           FROM ${NUMBERS}`,
};

const certificates: Resource<TestApp> = {
  parent: ofApp,
  name: 'certificates',
  make: async (app) => (await createCertificate(app)).id,
  update: { name: 'Live updates' },
  wrongUpdates: [
    {
      body: { name: null, type: 'debug', password: 5, allowedRefs: [5], protected: 1 },
      fields: ['name', 'type', 'password', 'allowedRefs', 'protected'],
    },
  ],
  rows: `INSERT INTO certificates (id, app_id, name, name_lower, platform, type, file_name, file_mime_type,
                                   file_size_in_bytes, sealed_file)
         SELECT ${idOf('certificate')}, ${OWNER}, 'certificate ' || n, 'certificate ' || n, 'web', 'production', 'a',
                'b', 1, 'v1.' FROM ${NUMBERS}`,
};

const provisioningProfiles: Resource<TestApp> = {
  parent: ofApp,
  name: 'provisioning-profiles',
  make: async (app) => (await createProfile(app)).id,
  rows: `INSERT INTO provisioning_profiles (id, app_id, file_name, file_mime_type, file_size_in_bytes, uuid, name, type,
                                            team_id, bundle_id, expires_at, certificate_fingerprints, sealed_file)
         SELECT ${idOf('profile')}, ${OWNER}, 'a', 'b', 1, 'c', 'profile ' || n, 'ad-hoc', 'A1B2C3D4E5', '*', now(), '{}',
                'v1.' FROM ${NUMBERS}`,
};

const destinations: Resource<TestApp> = {
  parent: ofApp,
  name: 'destinations',
  make: async (app) => (await createDestination(app, { appGoogleServiceAccountKeyId: null })).id,
  create: () => ({
    name: uniqueName('destination'),
    platform: 'android',
    googlePlayTrack: 'wear:production',
  }),
  update: { googlePlayTrack: 'production', androidReleaseStatus: 'completed', defaultLanguage: null },
  wrongCreates: [
    { body: {}, fields: ['name', 'platform'] },
    { body: { name: 'x', platform: 'ios', type: 'google-play' }, fields: ['type'] },
    {
      body: {
        name: 5,
        platform: 'web',
        type: 'play',
        defaultLanguage: 'english please',
        androidPackageName: 'shop',
        androidBuildArtifactType: 'ipa',
        androidReleaseStatus: 'inProgress',
        googlePlayTrack: '..',
        appGoogleServiceAccountKeyId: 'x',
      },
      fields: [
        'name',
        'platform',
        'type',
        'defaultLanguage',
        'androidPackageName',
        'androidBuildArtifactType',
        'androidReleaseStatus',
        'googlePlayTrack',
        'appGoogleServiceAccountKeyId',
      ],
    },
  ],
  wrongUpdates: [
    { body: { name: null }, fields: ['name'] },
    { body: { platform: 'ios' }, fields: ['platform'] },
    { body: { type: 'huawei-appgallery' }, fields: ['type'] },
    {
      body: {
        appleTeamId: 'team',
        appleId: '',
        appleAppId: 'com.example.app',
        appleAppPassword: 5,
        appAppleApiKeyId: 'AuthKey.p8',
        appleApiKeyId: 'key-1',
        appleIssuerId: 'issuer',
        appleBetaGroups: 'Team',
        appleSubmitForReview: 'yes',
        appleRejectIfPossible: 1,
        appleReleaseType: 'later',
        applePhasedRelease: 'slowly',
      },
      fields: [
        'appleTeamId',
        'appleId',
        'appleAppId',
        'appleAppPassword',
        'appAppleApiKeyId',
        'appleApiKeyId',
        'appleIssuerId',
        'appleBetaGroups',
        'appleSubmitForReview',
        'appleRejectIfPossible',
        'appleReleaseType',
        'applePhasedRelease',
      ],
    },
    {
      body: {
        firebaseAppId: 'shop',
        firebaseTesterGroups: ['QA Team'],
        huaweiAppId: 5,
        huaweiClientId: 'client',
        huaweiClientSecret: '',
      },
      fields: [
        'firebaseAppId',
        'firebaseTesterGroups',
        'huaweiAppId',
        'huaweiClientId',
        'huaweiClientSecret',
      ],
    },
    { body: { requiredApprovals: 6, freezeWindows: {} }, fields: ['requiredApprovals', 'freezeWindows'] },
  ],
  uniqueName: 'name',
  rows: `INSERT INTO destinations (id, app_id, name, name_lower, platform, type)
         SELECT ${idOf('destination')}, ${OWNER}, 'destination ' || n, 'destination ' || n, 'android', 'google-play'
           FROM ${NUMBERS}`,
};

const gitConnections: Resource = {
  parent: ofOrganization,
  name: 'git-connections',
  make: async ({ tenant }) => (await createGitConnection(tenant)).id,
  create: () => ({
    provider: 'gitea',
    authKind: 'token',
    token: 'secret-token',
    name: uniqueName('git'),
    baseUrl: DEAD_SERVER,
  }),
  update: { authKind: 'token' },
  wrongCreates: [
    { body: {}, fields: ['provider', 'authKind'] },
    { body: { provider: 'cvs', authKind: 'oauth' }, fields: ['provider', 'authKind'] },
    {
      body: {
        provider: 'gitea',
        authKind: 'token',
        name: 5,
        baseUrl: 'ftp://x',
        token: 'a b',
        username: 'a:b',
      },
      fields: ['name', 'baseUrl', 'token', 'username'],
    },
    { body: { provider: 'gitea', authKind: 'token' }, fields: ['token'] },
  ],
  wrongUpdates: [
    {
      body: { name: null, authKind: 'github_app', token: null, restricted: 'yes' },
      fields: ['name', 'authKind', 'token', 'restricted'],
    },
  ],
  uniqueName: 'name',
  rows: `INSERT INTO git_connections (id, organization_id, name, name_lower, provider, auth_kind)
         SELECT ${idOf('git')}, ${OWNER}, 'git ' || n, 'git ' || n, 'gitea', 'token' FROM ${NUMBERS}`,
};

const wrongWebhook: WrongBody = {
  body: {
    name: 5,
    url: 'ftp://hooks.example.com',
    events: 'job_finished',
    format: 'xml',
    ordering: 'none',
    signingSecret: '',
    description: 5,
    headers: { Host: 'example.com' },
    enabled: 'yes',
    channelIds: ['x'],
  },
  fields: [
    'name',
    'url',
    'events',
    'format',
    'ordering',
    'signingSecret',
    'description',
    'headers',
    'enabled',
    'channelIds',
  ],
};
const wrongWebhookUpdates: readonly WrongBody[] = [
  wrongWebhook,
  {
    body: { name: null, url: null, events: null, format: null, enabled: null, channelIds: null },
    fields: ['name', 'url', 'events', 'format', 'enabled', 'channelIds'],
  },
];
const webhookBody = () => ({ name: uniqueName('webhook'), url: WEBHOOK_URL, events: ['*'] });

const appWebhooks: Resource<TestApp> = {
  parent: ofApp,
  name: 'webhooks',
  make: async (app) => (await createWebhook(app)).id,
  create: webhookBody,
  update: { enabled: false },
  refusesUnknownFields: true,
  wrongCreates: [{ body: {}, fields: ['name', 'url', 'events'] }, wrongWebhook],
  wrongUpdates: wrongWebhookUpdates,
  rows: `INSERT INTO webhooks (id, organization_id, app_id, name, sealed_url, host, format, events)
         SELECT ${idOf('app webhook')}, (SELECT organization_id FROM apps WHERE id = $1), ${OWNER}, 'webhook ' || n, 'v1.', 'a', 'raw', '{*}'
           FROM ${NUMBERS}`,
};

const organizationWebhooks: Resource = {
  parent: ofOrganization,
  name: 'webhooks',
  make: async (organization) => (await createWebhook(organization)).id,
  create: webhookBody,
  update: { enabled: false },
  refusesUnknownFields: true,
  wrongCreates: [
    { body: { appIds: 5 }, fields: ['name', 'url', 'events', 'appIds'] },
    { ...wrongWebhook, body: { ...wrongWebhook.body, appIds: [] } },
  ],
  wrongUpdates: [...wrongWebhookUpdates, { body: { appIds: ['x'] }, fields: ['appIds'] }],
  rows: `INSERT INTO webhooks (id, organization_id, name, sealed_url, host, format, events)
         SELECT ${idOf('webhook')}, ${OWNER}, 'webhook ' || n, 'v1.', 'a', 'raw', '{*}' FROM ${NUMBERS}`,
};

/** The registry: an entry gives a resource its standard tests. */
export const resources: readonly Resource[] = [
  channels,
  builds,
  deployments,
  devices,
  environments,
  configurations,
  automations,
  certificates,
  provisioningProfiles,
  destinations,
  runners,
  teams,
  licenseKeys,
  gitConnections,
  appWebhooks,
  organizationWebhooks,
];

/** Those that this run is about. */
export const chosenResources = depth.routes(resources);
