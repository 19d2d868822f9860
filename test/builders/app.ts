import type { Api } from '../support/http/api.js';
import { expectCreated } from '../support/http/expect-created.js';
import { createActor, createTenant, type Site, type Tenant } from './identities.js';

/** An app, and its owner's way to it. */
export interface TestApp {
  readonly id: string;
  /** `/v1/apps/{id}`: what all its resources begin with. */
  readonly path: string;
  readonly tenant: Tenant;
  /** Calls as the owner. */
  readonly api: Api;
  /** Id of the channel `default`. */
  readonly defaultChannelId: string;
}

/**
 * An app with its default channel.
 *
 * @param tenant who owns it; by default an organization of its own
 */
export async function createApp(tenant?: Tenant, values: object = {}): Promise<TestApp> {
  const owner = tenant ?? (await createTenant());
  const { api } = owner.owner;
  const body = expectCreated<{ id: string; appChannelId: string }>(
    await api.post(`/v1/apps?organizationId=${owner.organizationId}`, { name: 'Shop', ...values }),
  );
  return {
    id: body.id,
    path: `/v1/apps/${body.id}`,
    tenant: owner,
    api,
    defaultChannelId: body.appChannelId,
  };
}

/** An app in each of some organizations that one user has founded. */
export async function createAccount(organizations: number, site?: Site): Promise<TestApp[]> {
  const owner = await createActor(site);
  return Promise.all(
    Array.from({ length: organizations }, async (_, n) => {
      const created = await owner.api.post('/v1/organizations', { name: `Organization ${n}` });
      return createApp({ organizationId: expectCreated<{ id: string }>(created).id, owner });
    }),
  );
}
