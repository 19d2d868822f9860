import { createBundle } from '../../builders/bundle.js';
import { createApp } from '../../builders/app.js';
import { createTenant, type Tenant } from '../../builders/identities.js';
import { createToken } from '../../builders/token.js';
import { recordedEvents } from '../../support/events/recorded-events.js';
import { postFile } from '../../support/live-updates/uploads.js';
import { OwnSite } from '../../support/servers/own-site.js';
import { runQueue } from '../../support/servers/run-queue.js';
import type { ServerProcess } from '../../setup/server.js';

let site: OwnSite;
let second: ServerProcess;
let tenant: Tenant;

beforeAll(async () => {
  site = await OwnSite.start({ ORGANIZATION_STORAGE_GIGABYTES: '0.0001' });
  second = await OwnSite.beside(site);
});
beforeEach(async () => {
  tenant = await createTenant(site);
});
afterAll(async () => {
  await second.kill();
  await site.dispose();
});

/** Lets the servers look twice at the same time, as far as the queue lets them. */
async function look(task: string): Promise<void> {
  await Promise.all([runQueue(site, task), runQueue(site, task)]);
}

describe('an API token that expires', () => {
  const tokenFor = async (days: number, values: object = {}): Promise<string> => {
    const { id } = await createToken(tenant.owner.api, values);
    await expireIn(id, days);
    return id;
  };
  const expireIn = (id: string, days: number) =>
    site.query(
      `UPDATE tokens SET expires_at = now() + make_interval(days => $2), created_at = now() - interval '30 days'
        WHERE id = $1`,
      [id, days],
    );
  const thresholdsOf = async (objectId: string): Promise<unknown[]> =>
    (await recordedEvents({ objectId }, site)).flatMap(({ type, organizationId, data }) =>
      type === 'token_expiring' ? [[organizationId, data['threshold']]] : [],
    );

  it('has one event for each threshold and organization', async () => {
    const other = await createTenant(site);
    await site.query(
      `INSERT INTO members (id, organization_id, user_id, role) VALUES (gen_random_uuid(), $1, $2, 'viewer')`,
      [other.organizationId, tenant.owner.userId],
    );
    const id = await tokenFor(8);
    const limited = await tokenFor(8, { organizationIds: [other.organizationId] });
    for (const days of [8, 7, 6, 1, 0]) {
      await expireIn(id, days);
      await expireIn(limited, days);
      await look('expiring-tokens');
    }
    const [first, last] = [tenant.organizationId, other.organizationId].toSorted();
    expect(await thresholdsOf(id)).toEqual([
      [first, '7d'],
      [last, '7d'],
      [first, '1d'],
      [last, '1d'],
    ]);
    expect(await thresholdsOf(limited)).toEqual([
      [other.organizationId, '7d'],
      [other.organizationId, '1d'],
    ]);
  });

  it('has none when it lives for a few days only, and has them again after it was extended', async () => {
    const brief = await createToken(tenant.owner.api, {
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
    const id = await tokenFor(5);
    await look('expiring-tokens');
    const expiresAt = new Date(Date.now() + 90 * 86_400_000).toISOString();
    expect((await tenant.owner.api.patch(`/v1/tokens/${id}`, { expiresAt })).status).toBe(200);
    await look('expiring-tokens');
    await expireIn(id, 5);
    await look('expiring-tokens');
    const { organizationId } = tenant;
    expect(await thresholdsOf(id)).toEqual([
      [organizationId, '7d'],
      [organizationId, '7d'],
    ]);
    expect(await thresholdsOf(brief.id)).toEqual([]);
  });
});

describe('a storage quota', () => {
  const eventsOf = async (): Promise<unknown[]> =>
    (await recordedEvents({ objectId: tenant.organizationId }, site)).map(({ type, data }) => ({
      type,
      ...data,
    }));
  const allow = (bytes: number) =>
    site.query('UPDATE organizations SET storage_quota_in_bytes = $2 WHERE id = $1', [
      tenant.organizationId,
      bytes,
    ]);

  it('has one event for each threshold, and another one only after it was clearly below', async () => {
    await look('storage-quotas');
    expect(await eventsOf()).toEqual([]);
    await postFile(await createBundle(await createApp(tenant)), Buffer.alloc(100, 'a'), {
      href: 'index.html',
      name: 'index.html',
    });
    // 50 %, 80 %, 78 %, 80 %, 100 %, 90 %, 100 %, no limit, 81 %
    for (const quota of [200, 125, 128, 125, 100, 111, 100, 0, 123]) {
      await allow(quota);
      await look('storage-quotas');
    }
    const type = 'storage_quota_near';
    expect(await eventsOf()).toEqual([
      { type, sizeInBytes: 100, quotaInBytes: 125, usedPercent: 80, threshold: 80 },
      { type, sizeInBytes: 100, quotaInBytes: 100, usedPercent: 100, threshold: 100 },
      { type, sizeInBytes: 100, quotaInBytes: 100, usedPercent: 100, threshold: 100 },
      { type, sizeInBytes: 100, quotaInBytes: 123, usedPercent: 81, threshold: 80 },
    ]);
  });
});
