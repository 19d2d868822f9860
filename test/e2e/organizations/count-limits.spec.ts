import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'supertest';
import { createApp, type TestApp } from '../../builders/app.js';
import { certificateParts } from '../../builders/certificate.js';
import { createTenant, type Tenant } from '../../builders/identities.js';
import { uploadProfile } from '../../builders/provisioning-profile.js';
import { makeProfile } from '../../support/native-builds/apple/profile.js';
import { appleKeyFile, uploadStoreKey } from '../../builders/store-key.js';
import { WEBHOOK_URL } from '../../builders/webhook.js';
import { Api } from '../../support/http/api.js';
import { expectError } from '../../support/http/expect-error.js';
import { form, send } from '../../support/http/multipart.js';
import { uploadSource } from '../../support/native-builds/sources.js';
import { OwnSite } from '../../support/servers/own-site.js';
import { uniqueName } from '../../support/unique-name.js';

/** Where objects of the test are made. */
interface Scene {
  readonly tenant: Tenant;
  readonly app: TestApp;
  /** A source of builds. */
  readonly sourceId: string;
}

interface Limited {
  readonly variable: string;
  readonly what: string;
  /** How many there are before the test makes some. */
  readonly present: number;
  readonly create: (scene: Scene) => PromiseLike<Response>;
}

const LIMIT = 3;
const git = {
  provider: 'gitea',
  authKind: 'token',
  token: 'secret-token',
  baseUrl: 'https://git.example.com',
};

const post = (path: (scene: Scene) => string, body: (scene: Scene) => object) => (scene: Scene) =>
  scene.tenant.owner.api.post(path(scene), body(scene));
const ofOrganization = (resource: string, body: () => object) =>
  post(({ tenant }) => `/v1/organizations/${tenant.organizationId}/${resource}`, body);
const ofApp = (resource: string) =>
  post(
    ({ app }) => `${app.path}/${resource}`,
    () => ({ name: uniqueName('it') }),
  );
const named = (): object => ({ name: uniqueName('it') });
const webhook = (): object => ({ ...named(), url: WEBHOOK_URL, events: ['*'] });

/** Three files of an organization are opened, or wait; others are sent again. */
async function whenFree(create: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await create();
    if (response.status !== 429) return response;
    await sleep(100);
  }
}

const limited: readonly Limited[] = [
  {
    variable: 'MAX_APPS_PER_ORGANIZATION',
    what: 'An organization can have at most 3 apps',
    present: 1,
    create: post(({ tenant }) => `/v1/apps?organizationId=${tenant.organizationId}`, named),
  },
  {
    variable: 'MAX_CHANNELS_PER_APP',
    what: 'An app can have at most 3 channels',
    present: 1,
    create: ofApp('channels'),
  },
  {
    variable: 'MAX_ENVIRONMENTS_PER_APP',
    what: 'An app can have at most 3 environments',
    present: 0,
    create: ofApp('environments'),
  },
  {
    variable: 'MAX_CONFIGURATIONS_PER_APP',
    what: 'An app can have at most 3 configurations',
    present: 0,
    create: ofApp('configurations'),
  },
  {
    variable: 'MAX_CERTIFICATES_PER_APP',
    what: 'An app can have at most 3 certificates',
    present: 0,
    create: ({ app }) =>
      whenFree(() => send(app.api, 'post', `${app.path}/certificates`, form(certificateParts()))),
  },
  {
    variable: 'MAX_PROVISIONING_PROFILES_PER_APP',
    what: 'An app can have at most 3 provisioning profiles',
    present: 0,
    create: ({ app }) => whenFree(() => uploadProfile(app, makeProfile())),
  },
  {
    variable: 'MAX_DESTINATIONS_PER_APP',
    what: 'An app can have at most 3 destinations',
    present: 0,
    create: post(
      ({ app }) => `${app.path}/destinations`,
      () => ({ name: uniqueName('it'), platform: 'android' }),
    ),
  },
  {
    variable: 'MAX_STORE_KEYS_PER_APP',
    what: 'An app can have at most 3 files of keys for stores',
    present: 0,
    create: ({ app }) => uploadStoreKey(app, 'apple-api-keys', appleKeyFile),
  },
  {
    variable: 'MAX_RUNNERS_PER_ORGANIZATION',
    what: 'An organization can have at most 3 runners',
    present: 0,
    create: ofOrganization('runners', named),
  },
  {
    variable: 'MAX_WEBHOOKS_PER_APP',
    what: 'An app can have at most 3 webhooks',
    present: 0,
    create: post(({ app }) => `${app.path}/webhooks`, webhook),
  },
  {
    // Those of its apps do not count.
    variable: 'MAX_WEBHOOKS_PER_ORGANIZATION',
    what: 'An organization can have at most 3 webhooks',
    present: 0,
    create: async (scene) => {
      await scene.app.api.post(`${scene.app.path}/webhooks`, webhook());
      return scene.tenant.owner.api.post(
        `/v1/organizations/${scene.tenant.organizationId}/webhooks`,
        webhook(),
      );
    },
  },
  {
    variable: 'MAX_GIT_CONNECTIONS_PER_ORGANIZATION',
    what: 'An organization can have at most 3 git connections',
    present: 0,
    create: ofOrganization('git-connections', () => ({ ...git, ...named() })),
  },
  {
    variable: 'MAX_PENDING_INVITATIONS_PER_ORGANIZATION',
    what: 'An organization can have at most 3 pending invitations',
    present: 0,
    create: ofOrganization('invitations', () => ({
      email: `${uniqueName('guest')}@example.com`,
      role: 'viewer',
    })),
  },
  {
    variable: 'MAX_TEAMS_PER_ORGANIZATION',
    what: 'An organization can have at most 3 teams',
    present: 0,
    create: ofOrganization('teams', named),
  },
  {
    variable: 'MAX_TOKENS_PER_USER',
    what: 'A user can have at most 3 API tokens',
    present: 1,
    create: post(() => '/v1/tokens', named),
  },
  {
    variable: 'MAX_QUEUED_BUILDS_PER_ORGANIZATION',
    what: 'An organization can have at most 3 queued builds',
    present: 0,
    create: post(
      ({ app }) => `${app.path}/builds`,
      ({ sourceId }) => ({ platform: 'web', appBuildSourceId: sourceId }),
    ),
  },
];

describe('the number of objects of a kind', () => {
  let site: OwnSite;

  beforeAll(async () => {
    site = await OwnSite.start(Object.fromEntries(limited.map(({ variable }) => [variable, String(LIMIT)])));
  });
  afterAll(() => site.dispose());

  const createScene = async (): Promise<Scene> => {
    const app = await createApp(await createTenant(site));
    return { app, tenant: app.tenant, sourceId: await uploadSource(app) };
  };

  it.each(limited)('is limited exactly by $variable', async ({ variable, what, present, create }) => {
    const scene = await createScene();
    const responses = await Promise.all(Array.from({ length: 10 }, () => create(scene)));
    const created = responses.filter(({ status }) => status === 201);
    expect(created).toHaveLength(LIMIT - present);
    for (const response of responses) {
      if (response.status !== 201) expectError(response, 409, 'limit_reached');
    }
    const { body } = await create(scene);
    expect((body as { message: string }).message).toMatch(
      new RegExp(`^${what}: .*, or ask the operator to raise ${variable}\\.$`),
    );
    // Others have limits of their own.
    expect((await create(await createScene())).status).toBe(201);
  });

  it('goes down with what is deleted', async () => {
    const { app } = await createScene();
    const add = () => app.api.post(`${app.path}/environments`, named());
    const [first] = [await add(), await add(), await add()];
    expectError(await add(), 409, 'limit_reached');
    await app.api.delete(`${app.path}/environments/${(first.body as { id: string }).id}`);
    expect((await add()).status).toBe(201);
  });

  it('counts apps that are transferred', async () => {
    const [from, to] = [await createScene(), await createScene()];
    const { api, userId } = from.tenant.owner;
    await site.query(
      `INSERT INTO members (id, organization_id, user_id, role) VALUES ($1, $2, $3, 'owner')`,
      [crypto.randomUUID(), to.tenant.organizationId, userId],
    );
    const others = [await createApp(from.tenant), await createApp(from.tenant)];
    const { organizationId } = to.tenant;
    const moved = await Promise.all(
      [from.app, ...others].map((app) => api.post(`${app.path}/transfer`, { organizationId })),
    );
    const [refused, ...transferred] = moved.toSorted((a, b) => b.status - a.status);
    expectError(refused!, 409, 'limit_reached');
    expect(transferred.filter(({ status }) => status < 300)).toHaveLength(2);
  });

  it('leaves out invitations that can no longer be accepted', async () => {
    const { tenant } = await createScene();
    const invite = () =>
      tenant.owner.api.post(`/v1/organizations/${tenant.organizationId}/invitations`, {
        email: `${uniqueName('guest')}@example.com`,
        role: 'viewer',
      });
    for (let n = 0; n < LIMIT; n++) await invite();
    expectError(await invite(), 409, 'limit_reached');
    await site.query(
      `UPDATE invitations SET expires_at = now() - interval '1 minute' WHERE organization_id = $1`,
      [tenant.organizationId],
    );
    expect((await invite()).status).toBe(201);
  });

  it('stays where a limit is lowered, and can be changed', async () => {
    const { app } = await createScene();
    const api = (): Api => new Api(site.origin, app.tenant.owner.token);
    const path = `${app.path}/channels`;
    const { body: channel } = await api().post(path, named());
    await api().post(path, named());
    await site.restart({ MAX_CHANNELS_PER_APP: '1' });
    expect((await api().get(path)).body).toHaveLength(3);
    const renamed = await api().patch(`${path}/${(channel as { id: string }).id}`, { name: 'renamed' });
    expect(renamed.status).toBe(200);
    expectError(await api().post(path, named()), 409, 'limit_reached');
    await site.restart({ MAX_CHANNELS_PER_APP: '0' });
    expect((await api().post(path, named())).status).toBe(201);
  });
});
