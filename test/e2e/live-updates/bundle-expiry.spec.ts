import { createApp, type TestApp } from '../../builders/app.js';
import { createBundle, registerBundle, type TestBundle } from '../../builders/bundle.js';
import { checkForUpdate, createDevice } from '../../builders/device.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { eventually } from '../../support/eventually.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { reasons, retainedBundles } from '../../support/live-updates/retention.js';
import { publish, uploadFiles } from '../../support/live-updates/uploads.js';
import { auditEvents } from '../../support/organizations/audit-log.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const later = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

let app: TestApp;
beforeEach(async () => {
  app = await createApp();
});

/** What a device that runs the given bundle is offered; `null`: nothing. */
async function offered(running?: TestBundle): Promise<string | null> {
  const { status, body } = await checkForUpdate(app, running === undefined ? {} : { bundleId: running.id });
  return status === 200 ? (body as { bundleId: string }).bundleId : null;
}

/** Lets a bundle expire, some time ago if that is said. */
const expire = ({ id }: TestBundle, ago = 0): Promise<unknown> =>
  query(testEnvironment().databaseUrl, 'UPDATE bundles SET expires_at = $2 WHERE id = $1', [id, later(-ago)]);

describe('the expiry of a bundle', () => {
  it('is set when it is created, shown, changed and cleared', async () => {
    const expiresAt = later(HOUR);
    const { body } = await app.api.post(`${app.path}/bundles`, { artifactType: 'manifest', expiresAt });
    expect(body).toMatchObject({ expiresAt });
    const path = `${app.path}/bundles/${(body as { id: string }).id}`;
    expect((await app.api.patch(path, {})).body).toMatchObject({ expiresAt });
    const time = Date.now() + 2 * HOUR;
    expect((await app.api.patch(path, { expiresAt: time })).body).toMatchObject({
      expiresAt: new Date(time).toISOString(),
    });
    expect((await app.api.patch(path, { expiresAt: null })).body).toMatchObject({ expiresAt: null });
    const values = { artifactType: 'manifest', expiresAt: null };
    expect((await app.api.post(`${app.path}/bundles`, values)).body).toMatchObject({ expiresAt: null });
    const events = await auditEvents(app.tenant, 'objectType=bundle');
    expect(events.map(({ after }) => (after as { expiresAt?: unknown } | null)?.expiresAt)).toContain(
      new Date(time).toISOString(),
    );
  });

  it.each([['2020-01-01T00:00:00Z'], [1], ['tomorrow'], [true], ['2026-02-30']])(
    'is not %j',
    async (expiresAt) => {
      const values = { artifactType: 'manifest', expiresAt };
      expectInvalid(await app.api.post(`${app.path}/bundles`, values), 'expiresAt');
      const { path } = await createBundle(app);
      const { message } = expectInvalid(await app.api.patch(path, { expiresAt }), 'expiresAt');
      if (expiresAt === 1) expect(message).toBe('expiresAt must be in the future.');
    },
  );

  it('of a published bundle passes without a change, for all but those that run it', async () => {
    const old = await registerBundle(app);
    const bundle = await createBundle(app, { expiresAt: later(2500) });
    await uploadFiles(bundle, { 'index.html': 'seasonal' });
    expect((await publish(bundle)).status).toBe(200);
    expect(await offered()).toBe(bundle.id);
    expect(await offered(old)).toBe(bundle.id);
    await eventually(async () => expect(await offered()).toBe(old.id));
    expect(await offered(old)).toBe(old.id);
    expect(await offered(bundle)).toBe(bundle.id);
    expect((await app.api.patch(bundle.path, { expiresAt: null })).status).toBe(200);
    expect(await offered(old)).toBe(bundle.id);
  });
});

it('makes no device install something older than a bundle whose id Slipway did not make', async () => {
  const old = await registerBundle(app);
  await expire(await registerBundle(app));
  expect(await offered()).toBe(old.id);
  const query = 'platform=0&pluginVersion=8.4.3&appVersionCode=10&deviceId=elsewhere&bundleId=my-bundle';
  const latest = `${app.path}/bundles/latest`;
  // To Express, the case of a path does not matter.
  for (const path of [latest, `${app.path}/bundles/Latest`])
    expectError(await app.api.request('get', `${path}?${query}`), 404, 'no_update');
  await createDevice(app, { deviceId: 'elsewhere', bundleId: 'my-bundle' });
  const change = { change: 'resume', appChannelId: app.defaultChannelId };
  expect((await app.api.post(`${app.path}/simulations`, change)).body).toMatchObject({
    deployments: [],
    withoutUpdate: [{ reason: 'no-acceptable-deployment', before: 1, after: 1 }],
  });
  for (const path of [`${app.path}/decision?${query}`, `${app.path}/devices/elsewhere/decision`]) {
    const explained = await app.api.get(path);
    expect(explained.body).toMatchObject({ reason: 'no-acceptable-deployment', deployment: null });
  }
});

describe('retention of an expired bundle', () => {
  /** When a bundle will be deleted, and why it is kept. */
  const retained = async ({ id }: TestBundle) =>
    (await retainedBundles(app)).find(({ appBundleId }) => appBundleId === id);

  it('lets it go a day after its expiry, also where all bundles are kept', async () => {
    const bundle = await registerBundle(app);
    await app.api.patch(bundle.path, { expiresAt: later(DAY) });
    expect(await retained(bundle)).toMatchObject({ reason: 'delivered', expiresAt: null });
    await expire(bundle, HOUR);
    const shown = await retained(bundle);
    expect(shown?.reason).toBeNull();
    expect(Date.parse(shown?.expiresAt ?? '') / HOUR).toBeCloseTo((Date.now() + 23 * HOUR) / HOUR, 1);
  });

  it('keeps it while a device runs it, and under legal hold', async () => {
    const [running, held, unused] = [
      await registerBundle(app),
      await registerBundle(app),
      await registerBundle(app),
    ];
    await createDevice(app, { bundleId: running.id });
    await app.api.put(`${held.path}/legal-hold`, { reason: 'Case' });
    for (const bundle of [running, held, unused]) await expire(bundle, DAY);
    await eventually(async () =>
      expect(await reasons(app)).toMatchObject({ [running.id]: 'device', [held.id]: 'legal-hold' }),
    );
  });

  it('keeps what a bundle with an expiry replaces, which devices get again after it', async () => {
    await app.api.patch(app.path, { bundleRetentionCount: 1 });
    const old = await registerBundle(app);
    const seasonal = await registerBundle(app, { expiresAt: later(DAY) });
    const next = await registerBundle(app, { expiresAt: later(DAY) });
    expect(await reasons(app)).toEqual({
      [old.id]: 'delivered',
      [seasonal.id]: 'delivered',
      [next.id]: 'delivered',
    });
  });
});
