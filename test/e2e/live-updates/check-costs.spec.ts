import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createApp, type TestApp } from '../../builders/app.js';
import { registerBundle } from '../../builders/bundle.js';
import { createTenant, type Tenant } from '../../builders/identities.js';
import { uploadBundle } from '../../builders/publication.js';
import { eventually } from '../../support/eventually.js';
import { OwnSite } from '../../support/servers/own-site.js';

/** Counts what the checks of the server do while they are answered. */
const COUNTER = join(import.meta.dirname, '../../support/update-checks/counted-checks.mjs');

const CHECKS = 100;
const DEPLOYMENTS = 5;

interface Counts {
  readonly checks: number;
  /** Before anything else could happen: without a statement, and on the fast path. */
  readonly answeredAtOnce: number;
  readonly defineProperty: number;
  readonly hashes: number;
}

let site: OwnSite;
let tenant: Tenant;

beforeAll(async () => {
  site = await OwnSite.start({}, undefined, { nodeOptions: [`--import=${COUNTER}`] });
  tenant = await createTenant(site);
});
afterAll(() => site.dispose());

async function appWith(count: number, values: object): Promise<TestApp> {
  const app = await createApp(tenant);
  for (let n = 0; n < count; n++) await registerBundle(app, values);
  return app;
}

/** What warm checks of an app do, each of another device with a custom id. */
async function costsOf(app: TestApp, query = ''): Promise<Counts> {
  const check = async () => {
    const ids = `deviceId=${randomUUID()}&customId=${randomUUID()}`;
    const response = await fetch(
      `${site.origin}${app.path}/bundles/latest?platform=0&appVersionCode=10&pluginVersion=8.4.3&${ids}${query}`,
    );
    await response.arrayBuffer();
  };
  // The first one loads the releases, and derives what it needs from them.
  for (let n = 0; n < 3; n++) await check();
  await countsSoFar();
  for (let n = 0; n < CHECKS; n++) await check();
  return countsSoFar();
}

/** What was counted since the last call. */
async function countsSoFar(): Promise<Counts> {
  const { log, process } = site.server;
  const before = log.length;
  process.kill('SIGUSR2');
  return eventually(() => {
    const line = log.slice(before).find((text) => text.startsWith('{"counts"'));
    expect(line).toBeDefined();
    return (JSON.parse(line ?? '') as { counts: Counts }).counts;
  });
}

const costs = (hashes: number): Counts => ({
  checks: CHECKS,
  answeredAtOnce: CHECKS,
  defineProperty: 0,
  hashes: hashes * CHECKS,
});

describe('a warm update check', () => {
  it('is answered at once, without a hash, where there is an update', async () => {
    expect(await costsOf(await appWith(3, {}))).toEqual(costs(0));
  });

  it('costs no more for deployments that are for later versions', async () => {
    expect(await costsOf(await appWith(DEPLOYMENTS, { minAndroidAppVersionCode: '11' }))).toEqual(costs(0));
  });

  it('costs no more for rollouts to no device', async () => {
    expect(await costsOf(await appWith(DEPLOYMENTS, { rolloutPercentage: 0 }))).toEqual(costs(0));
  });

  it('costs a hash for each partial rollout, also of a device that runs a bundle', async () => {
    const app = await appWith(DEPLOYMENTS, { rolloutPercentage: 0.0000001 });
    expect(await costsOf(app)).toEqual(costs(DEPLOYMENTS));
    expect(await costsOf(app, `&bundleId=${randomUUID()}`)).toEqual(costs(DEPLOYMENTS));
  });

  it('costs no more where the newest is damaged', async () => {
    const app = await appWith(DEPLOYMENTS, {});
    await uploadBundle(app);
    await site.query(`UPDATE blobs SET damaged_at = now(), damage = 'missing'`);
    expect(await costsOf(app, `&bundleId=${randomUUID()}`)).toEqual(costs(0));
  });
});

it('an update check for an app that is not in memory is answered in front of Express, once it is', async () => {
  const app = await createApp(tenant);
  const check = (path: string, headers = {}) =>
    fetch(`${site.origin}${path}?platform=0&appVersionCode=10`, { headers });
  const logged = () => site.server.log.filter((line) => line.includes(app.id) && line.includes('latest'));
  await countsSoFar();
  const cold = await check(`${app.path}/bundles/latest`);
  expect([cold.status, await cold.json()]).toMatchObject([404, { code: 'no_update' }]);
  expect(await countsSoFar()).toMatchObject({ checks: 1, answeredAtOnce: 0 });
  expect(logged()).toEqual([]);
  await check(`${app.path}/bundles/latest`, { 'if-none-match': '"1"' });
  await eventually(() => expect(logged()).toHaveLength(1));
  const noUuid = await check(`/v1/apps/${'x'.repeat(36)}/bundles/latest`);
  expect([noUuid.status, await noUuid.json()]).toMatchObject([404, { code: 'app_not_found' }]);
});
