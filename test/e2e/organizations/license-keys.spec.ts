import { v7 as uuid } from 'uuid';
import { hashToken } from '../../../src/common/access/api-token.js';
import { SecretBox } from '../../../src/common/secrets/secret-box.js';
import { isLicenseKey } from '../../../src/organizations/license-keys/license-keys.service.js';
import { createMember, createTenant, type Tenant } from '../../builders/identities.js';
import { createLicenseKey } from '../../builders/license-key.js';
import { ENCRYPTION_KEY, type ServerProcess, startServer } from '../../setup/server.js';
import { Api } from '../../support/http/api.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { OwnSite } from '../../support/servers/own-site.js';

interface Assigned {
  readonly id: string;
  readonly packageId: string;
  readonly package?: { readonly id: string };
}

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly createdAt: string;
  readonly lockedUntil: string;
  readonly licenseKeyPackages?: readonly Assigned[];
}

const camera = { id: uuid(), name: '@acme/camera', displayName: 'Camera' };
const maps = { id: uuid(), name: '@acme/maps', displayName: 'Maps' };
const radio = { id: uuid(), name: '@acme/radio', displayName: 'Radio' };

const LOCK_DAYS = 30;
const DAY = 24 * 60 * 60 * 1000;

let site: OwnSite;
/** A server on the same database that locks packages and does not offer `maps` any more. */
let locking: ServerProcess;
let tenant: Tenant;

beforeAll(async () => {
  const packages = [camera, { ...maps, id: maps.id.toUpperCase() }, radio];
  site = await OwnSite.start({ LICENSE_PACKAGES: JSON.stringify(packages), LOG_LEVEL: 'trace' });
  locking = await startServer({
    DATABASE_URL: site.databaseUrl,
    DATA_DIR: site.dataDir,
    LICENSE_PACKAGES: JSON.stringify([camera, radio]),
    LICENSE_KEY_LOCK_DAYS: String(LOCK_DAYS),
  });
  tenant = await createTenant(site);
});

afterAll(async () => {
  await locking.stop();
  await site.dispose();
});

const pathOf = ({ organizationId }: Tenant): string => `/v1/organizations/${organizationId}/license-keys`;

/** The assignments of a license key, as its relation shows them. */
async function packagesOf(path: string, api = tenant.owner.api): Promise<readonly Assigned[]> {
  const { body } = await api.get(`${path}?relations=licenseKeyPackages`);
  return (body as Shown).licenseKeyPackages ?? [];
}

const idsOf = (assigned: readonly Assigned[]): string[] => assigned.map(({ packageId }) => packageId);

describe('a license key', () => {
  it('is created, shown, changed and deleted', async () => {
    const { api } = tenant.owner;
    const created = await api.post(pathOf(tenant), { name: ' Mobile team ', packageIds: [camera.id] });
    expect(created.status).toBe(201);
    expect(created.headers['cache-control']).toBe('no-store');
    const { id, key, createdAt } = created.body as Shown;
    expect(created.body).toEqual({
      id: expect.any(String),
      organizationId: tenant.organizationId,
      name: 'Mobile team',
      key: expect.stringMatching(/^SLIP(-[0-9A-Z]{5}){4}$/),
      expiresAt: null,
      lockedUntil: expect.any(String),
      createdAt: expect.any(String),
    });
    expect(isLicenseKey(key)).toBe(true);
    const { lockedUntil } = created.body as Shown;
    expect(Math.abs(Date.parse(lockedUntil) - Date.parse(createdAt))).toBeLessThan(5000);

    const path = `${pathOf(tenant)}/${id}`;
    const shown = await api.get(path);
    expect(shown.body).toEqual(created.body);
    expect(shown.headers['cache-control']).toBe('no-store');
    const renamed = await api.patch(path, { name: 'Web team' });
    expect(renamed.body).toEqual({ ...(created.body as Shown), name: 'Web team' });
    expect((await api.patch(path, {})).body).toEqual(renamed.body);
    expect((await api.delete(path)).status).toBe(204);
    for (const gone of [
      await api.get(path),
      await api.patch(path, { name: 'x' }),
      await api.patch(path, { packageIds: [] }),
      await api.post(`${path}/rotate`),
      await api.delete(path),
    ]) {
      expectError(gone, 404, 'license_key_not_found');
    }
    expect(await site.query('SELECT 1 FROM license_key_packages WHERE license_key_id = $1', [id])).toEqual(
      [],
    );
  });

  it('is listed by name, all of them at once', async () => {
    const own = await createTenant(site);
    const { api } = own.owner;
    expect((await api.get(pathOf(own))).body).toEqual([]);
    for (let index = 0; index < 60; index++) await createLicenseKey(own, { name: `Key ${99 - index}` });
    const { body } = await api.get(`${pathOf(own)}?limit=5`);
    const names = (body as Shown[]).map(({ name }) => name);
    expect(names).toHaveLength(60);
    expect(names).toEqual([...names].sort());
    expect(new Set((body as Shown[]).map(({ key }) => key)).size).toBe(60);
  });

  it('names every wrong field', async () => {
    const { api } = tenant.owner;
    const { path } = await createLicenseKey(tenant);
    expectInvalid(await api.post(pathOf(tenant), {}), 'name');
    for (const packageIds of [null, 'x', camera.id, ['x'], [null], [5], [[camera.id]], { 0: camera.id }]) {
      const body = { name: '', packageIds };
      expectInvalid(await api.post(pathOf(tenant), body), 'name', 'packageIds');
      expectInvalid(await api.patch(path, body), 'name', 'packageIds');
    }
    const many = Array.from({ length: 1001 }, () => uuid());
    expectInvalid(await api.post(pathOf(tenant), { name: 'x', packageIds: many }), 'packageIds');
    expectInvalid(await api.patch(path, { name: null }), 'name');
  });
});

describe('the packages of a license key', () => {
  it('are shown with the relations that are asked for', async () => {
    const { api } = tenant.owner;
    const packageIds = [camera.id, maps.id.toUpperCase(), camera.id.toUpperCase()];
    const { id, path } = await createLicenseKey(tenant, { packageIds });
    const assignmentOf = (packageId: string): object => ({
      id: expect.any(String) as string,
      licenseKeyId: id,
      packageId,
      createdAt: expect.any(String) as string,
    });
    expect(await packagesOf(path)).toEqual([assignmentOf(camera.id), assignmentOf(maps.id)]);
    for (const relations of [
      'licenseKeyPackages.package',
      'licenseKeyPackages,licenseKeyPackages.package,nonsense',
    ]) {
      const expected = [
        { ...assignmentOf(camera.id), package: camera },
        { ...assignmentOf(maps.id), package: maps },
      ];
      const one = (await api.get(`${path}?relations=${relations}`)).body as Shown;
      expect(one.licenseKeyPackages).toEqual(expected);
      const list = (await api.get(`${pathOf(tenant)}?relations=${relations}`)).body as Shown[];
      expect(list.find((shown) => shown.id === id)?.licenseKeyPackages).toEqual(expected);
    }
    expect((await api.get(path)).body).not.toHaveProperty('licenseKeyPackages');
    const empty = await createLicenseKey(tenant);
    expect(await packagesOf(empty.path)).toEqual([]);
  });

  it('are replaced as a whole; those that stay keep their assignment', async () => {
    const { api } = tenant.owner;
    const { path } = await createLicenseKey(tenant, { packageIds: [camera.id, maps.id] });
    const before = await packagesOf(path);
    expect((await api.patch(path, { packageIds: [radio.id, maps.id] })).status).toBe(200);
    const after = await packagesOf(path);
    expect(idsOf(after)).toEqual([maps.id, radio.id]);
    expect(after[0]).toEqual(before[1]);
    await api.patch(path, { name: 'x' });
    expect(await packagesOf(path)).toEqual(after);
    await api.patch(path, { packageIds: [] });
    expect(await packagesOf(path)).toEqual([]);
  });

  it('are refused by their ids when the operator does not offer them', async () => {
    const { api } = tenant.owner;
    const { path } = await createLicenseKey(tenant, { packageIds: [camera.id] });
    const [first, second] = [uuid(), uuid()];
    const packageIds = [camera.id, first, second];
    for (const response of [
      await api.post(pathOf(tenant), { name: 'unknown packages', packageIds }),
      await api.patch(path, { name: 'unknown packages', packageIds }),
    ]) {
      const { message } = expectInvalid(response, 'packageIds');
      expect(message).toContain(`${first}, ${second}`);
      expect(message).not.toContain(camera.id);
    }
    expect(await site.query(`SELECT 1 FROM license_keys WHERE name = 'unknown packages'`)).toEqual([]);
    expect(idsOf(await packagesOf(path))).toEqual([camera.id]);
  });

  it('become one of the sets that many ask for at a time, never a mixture', async () => {
    const { api } = tenant.owner;
    const { path } = await createLicenseKey(tenant, { packageIds: [camera.id] });
    const sets = [[camera.id, maps.id], [radio.id], [maps.id, radio.id], []];
    const answers = await Promise.all(
      [...sets, ...sets].map((packageIds) => api.patch(path, { packageIds })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const found = idsOf(await packagesOf(path)).sort();
    expect(sets.map((set) => [...set].sort())).toContainEqual(found);
  });

  it('are locked for the days that the operator wants, by default for none', async () => {
    const { path, name } = await createLicenseKey(tenant, { packageIds: [camera.id, maps.id] });
    const api = new Api(locking.origin, tenant.owner.token);
    const shown = (await api.get(path)).body as Shown;
    const left = Date.parse(shown.lockedUntil) - Date.parse(shown.createdAt) - LOCK_DAYS * DAY;
    expect(Math.abs(left)).toBeLessThan(5000);

    for (const packageIds of [[], [camera.id], [camera.id, maps.id, radio.id]]) {
      const refused = await api.patch(path, { name: 'y', packageIds });
      expect(expectError(refused, 409, 'license_key_locked').message).toContain(shown.lockedUntil);
    }
    expect(((await api.get(path)).body as Shown).name).toBe(name);
    // What changes nothing about them is no matter of the lock.
    const same = await api.patch(path, { name: 'z', packageIds: [maps.id, camera.id] });
    expect(same.body).toMatchObject({ name: 'z', lockedUntil: shown.lockedUntil });
    expect((await api.post(`${path}/rotate`)).status).toBe(200);

    const old = `packages_changed_at = now() - interval '${LOCK_DAYS} days'`;
    await site.query(`UPDATE license_keys SET ${old} WHERE id = $1`, [shown.id]);
    const changed = await api.patch(path, { packageIds: [camera.id] });
    expect(changed.status).toBe(200);
    const { lockedUntil } = changed.body as Shown;
    expect(Date.parse(lockedUntil)).toBeGreaterThan(Date.now() + (LOCK_DAYS - 1) * DAY);
    expectError(await api.patch(path, { packageIds: [] }), 409, 'license_key_locked');
    expect((await tenant.owner.api.patch(path, { packageIds: [] })).status).toBe(200);
  });

  it('stay when the operator does not offer them any more, without their description', async () => {
    const { path } = await createLicenseKey(tenant, { packageIds: [maps.id] });
    const api = new Api(locking.origin, tenant.owner.token);
    const { body } = await api.get(`${path}?relations=licenseKeyPackages.package`);
    const [assigned] = (body as Shown).licenseKeyPackages ?? [];
    expect(assigned?.packageId).toBe(maps.id);
    expect(assigned).not.toHaveProperty('package');
    expect((await api.patch(path, { packageIds: [maps.id] })).status).toBe(200);
    expectInvalid(await api.post(pathOf(tenant), { name: 'x', packageIds: [maps.id] }), 'packageIds');
  });
});

describe('the key itself', () => {
  const rowOf = async (id: string): Promise<{ key_hash: string; sealed_key: string }> => {
    const rows = await site.query<{ key_hash: string; sealed_key: string }>(
      'SELECT * FROM license_keys WHERE id = $1',
      [id],
    );
    return rows[0] as { key_hash: string; sealed_key: string };
  };

  it('is replaced by a rotation, which leaves nothing of the old one', async () => {
    const { api } = tenant.owner;
    const { path, id, key, ...rest } = await createLicenseKey(tenant, { packageIds: [camera.id] });
    const packages = await packagesOf(path);
    const rotated = await api.post(`${path}/rotate`);
    expect(rotated.status).toBe(200);
    expect(rotated.headers['cache-control']).toBe('no-store');
    const fresh = (rotated.body as Shown).key;
    expect(fresh).not.toBe(key);
    expect(isLicenseKey(fresh)).toBe(true);
    expect(rotated.body).toEqual({ ...rest, id, key: fresh });
    expect((await api.get(path)).body).toEqual(rotated.body);
    expect(await packagesOf(path)).toEqual(packages);
    const hashes = [hashToken(key), hashToken(fresh)];
    expect(await site.query('SELECT id FROM license_keys WHERE key_hash = ANY ($1)', [hashes])).toEqual([
      { id },
    ]);
    expect((await rowOf(id)).key_hash).toBe(hashToken(fresh));
  });

  it('is that of the last of several rotations at a time', async () => {
    const { api } = tenant.owner;
    const { path, id } = await createLicenseKey(tenant);
    const answers = await Promise.all(Array.from({ length: 6 }, () => api.post(`${path}/rotate`)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { key } = (await api.get(path)).body as Shown;
    expect((await rowOf(id)).key_hash).toBe(hashToken(key));
  });

  it('stands in the database encrypted only, for its row alone', async () => {
    const [one, other] = [await createLicenseKey(tenant), await createLicenseKey(tenant)];
    const row = await rowOf(one.id);
    expect(JSON.stringify(row)).not.toContain(one.key);
    expect(row.key_hash).toBe(hashToken(one.key));
    expect(row.sealed_key).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+$/);
    const box = new SecretBox([ENCRYPTION_KEY]);
    expect(box.open(row.sealed_key, `license_keys:${one.id}`)).toBe(one.key);
    expect(() => box.open(row.sealed_key, `license_keys:${other.id}`)).toThrow('unable to authenticate');
    await expect(
      site.query('UPDATE license_keys SET key_hash = $2 WHERE id = $1', [other.id, row.key_hash]),
    ).rejects.toThrow('license_keys_key_hash_key');
  });

  it('is never in the log', async () => {
    const { api } = tenant.owner;
    const { path, key } = await createLicenseKey(tenant);
    const rotated = ((await api.post(`${path}/rotate`)).body as Shown).key;
    await api.get(path);
    await api.get(pathOf(tenant));
    await api.request('get', path).set('X-Request-Id', 'last-of-license-keys');
    while (!site.server.log.some((line) => line.includes('last-of-license-keys'))) {
      // Any answer later, the line has been read.
      await new Api(site.origin, null).request('get', '/health/live');
    }
    for (const secret of [key, rotated]) {
      expect(site.server.log.filter((line) => line.includes(secret))).toEqual([]);
    }
  });
});

describe('license keys', () => {
  it('are a matter of owners, admins and billing', async () => {
    const { path } = await createLicenseKey(tenant);
    for (const role of ['admin', 'billing'] as const) {
      const { api } = await createMember(tenant, role, site);
      const own = expectCreated<Shown>(await api.post(pathOf(tenant), { name: 'x' }));
      const ownPath = `${pathOf(tenant)}/${own.id}`;
      expect((await api.get(pathOf(tenant))).status).toBe(200);
      expect((await api.get(ownPath)).status).toBe(200);
      expect((await api.patch(ownPath, { packageIds: [camera.id] })).status).toBe(200);
      expect((await api.post(`${ownPath}/rotate`)).status).toBe(200);
      expect((await api.delete(ownPath)).status).toBe(204);
    }
    for (const role of ['member', 'viewer'] as const) {
      const { api } = await createMember(tenant, role, site);
      for (const response of [
        await api.get(pathOf(tenant)),
        await api.get(path),
        await api.post(pathOf(tenant), { name: 'x' }),
        await api.patch(path, { name: 'x' }),
        await api.post(`${path}/rotate`),
        await api.delete(path),
      ]) {
        expectError(response, 403, 'not_authorized');
      }
    }
  });

  it('do not exist for another organization', async () => {
    const { path, key } = await createLicenseKey(tenant);
    const { owner: stranger, organizationId } = await createTenant(site);
    const moved = path.replace(tenant.organizationId, organizationId);
    for (const [at, code] of [
      [path, 'organization_not_found'],
      [moved, 'license_key_not_found'],
    ] as const) {
      for (const response of [
        await stranger.api.get(at),
        await stranger.api.patch(at, { name: 'x' }),
        await stranger.api.patch(at, { packageIds: [] }),
        await stranger.api.post(`${at}/rotate`),
        await stranger.api.delete(at),
      ]) {
        expectError(response, 404, code);
      }
    }
    expectError(await stranger.api.get(pathOf(tenant)), 404, 'organization_not_found');
    expectError(await stranger.api.post(pathOf(tenant), { name: 'x' }), 404, 'organization_not_found');
    expectError(await tenant.owner.api.get(`${pathOf(tenant)}/x`), 404, 'license_key_not_found');
    expect((await tenant.owner.api.get(path)).body).toMatchObject({ key });
  });

  it('go with their organization', async () => {
    const own = await createTenant(site);
    const { id } = await createLicenseKey(own, { packageIds: [camera.id] });
    expect((await own.owner.api.delete(`/v1/organizations/${own.organizationId}`)).status).toBe(204);
    expect(await site.query('SELECT 1 FROM license_keys WHERE id = $1', [id])).toEqual([]);
  });

  it('can be made without a catalogue, for no package', async () => {
    const own = await createTenant();
    const created = await createLicenseKey(own);
    expect(isLicenseKey(created.key)).toBe(true);
    const body = { name: 'x', packageIds: [camera.id] };
    expectInvalid(await own.owner.api.post(pathOf(own), body), 'packageIds');
  });
});
