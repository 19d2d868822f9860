import type { TestApp } from '../../builders/app.js';
import { registerBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { createDeployment } from '../../builders/deployment.js';
import { createDevice } from '../../builders/device.js';
import { uniqueName } from '../unique-name.js';

/** A body that must be refused, and the fields that the refusal must name. */
export interface WrongBody {
  readonly body: object;
  readonly fields: readonly string[];
}

/** One resource below an app, for the tests that every resource must pass. */
export interface AppResource {
  /** As in the path: `/v1/apps/{appId}/<name>`. */
  readonly name: string;
  /** Singular, as in "Channel not found." */
  readonly what: string;
  /** Makes one, in whatever way it comes into being. @returns its id */
  readonly make: (app: TestApp) => Promise<string>;
  /** A body that creates one; different for every call. Absent when no POST creates it. */
  readonly create?: (app: TestApp) => Promise<Readonly<Record<string, unknown>>>;
  /** A body that changes one. Absent when it cannot be changed. */
  readonly update?: Readonly<Record<string, unknown>>;
  /** Bodies that POST refuses. */
  readonly wrongCreates?: readonly WrongBody[];
  /** Bodies that PATCH refuses. */
  readonly wrongUpdates?: readonly WrongBody[];
  /** Whether it has a `name`, unique within the app. */
  readonly named: boolean;
  readonly canDelete: boolean;
  /** How many there are in a new app. */
  readonly initially: number;
  /** Methods of the collection and of one item, as in the header `Allow`. */
  readonly allow: { readonly list: string; readonly item: string };
}

const wrongChannel: WrongBody = {
  body: { name: 5, protected: 'yes', expiresAt: 'soon' },
  fields: ['name', 'protected', 'expiresAt'],
};

/** Every resource below an app. A new resource gets its standard tests by an entry here. */
export const appResources: readonly AppResource[] = [
  {
    name: 'channels',
    what: 'Channel',
    make: async (app) => (await createChannel(app)).id,
    create: async () => ({ name: uniqueName('channel') }),
    update: { protected: true },
    wrongCreates: [{ body: {}, fields: ['name'] }, { body: { name: null }, fields: ['name'] }, wrongChannel],
    wrongUpdates: [{ body: { name: null }, fields: ['name'] }, wrongChannel],
    named: true,
    canDelete: true,
    initially: 1,
    allow: { list: 'DELETE, GET, HEAD, POST', item: 'DELETE, GET, HEAD, PATCH' },
  },
  {
    name: 'builds',
    what: 'Build',
    make: async (app) => (await registerBundle(app)).buildId,
    update: { displayName: 'Spring' },
    wrongUpdates: [
      {
        body: { displayName: 5, minIosAppVersionCode: 'one two', customProperties: { a: 1 } },
        fields: ['displayName', 'minIosAppVersionCode', 'customProperties'],
      },
    ],
    named: false,
    canDelete: false,
    initially: 0,
    allow: { list: 'GET, HEAD', item: 'GET, HEAD, PATCH' },
  },
  {
    name: 'deployments',
    what: 'Deployment',
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
    named: false,
    canDelete: false,
    initially: 0,
    allow: { list: 'GET, HEAD, POST', item: 'GET, HEAD, PATCH' },
  },
  {
    name: 'devices',
    what: 'Device',
    make: (app) => createDevice(app),
    update: { forcedAppChannelId: null },
    wrongUpdates: [{ body: { forcedAppChannelId: 'production' }, fields: ['forcedAppChannelId'] }],
    named: false,
    canDelete: true,
    initially: 0,
    allow: { list: 'DELETE, GET, HEAD, PATCH', item: 'DELETE, GET, HEAD, PATCH' },
  },
];

/** A deployment of a registered bundle. Registering deploys nothing, because the app then has no default channel. */
async function deploymentBody(app: TestApp): Promise<Record<string, unknown>> {
  await app.api.patch(app.path, { appChannelId: null });
  const { buildId } = await registerBundle(app);
  return { appBuildId: buildId, appChannelId: app.defaultChannelId };
}
