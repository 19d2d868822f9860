import { createApp, type TestApp } from '../../builders/app.js';
import { registerBundle } from '../../builders/bundle.js';
import { createTenant } from '../../builders/identities.js';
import { recordedEvents, type RecordedTestEvent } from '../../support/events/recorded-events.js';
import { runTask } from '../../support/events/run-task.js';
import { addDevices, type ReportingDevices } from '../../support/live-updates/native-versions.js';
import { NoticeSite } from '../../support/notifications/notice-site.js';

let server: NoticeSite;
let app: TestApp;

beforeAll(async () => {
  server = await NoticeSite.start();
});
afterAll(() => server.dispose());
beforeEach(async () => {
  app = await createApp(await createTenant(server.site));
});

const sql = <T extends Record<string, unknown>>(text: string, ...values: unknown[]): Promise<T[]> =>
  server.site.query<T>(text, [app.id, ...values]);
const add = (devices: ReportingDevices): Promise<void> => addDevices(app, devices, server.site);
const count = (): Promise<void> => runTask('native-versions', server.site);

/** A day passes on which no device checks in. */
async function passDay(): Promise<void> {
  await sql(`UPDATE devices SET last_seen_at = last_seen_at - interval '1 day' WHERE app_id = $1`);
  await sql('UPDATE native_versions SET last_day = last_day - 1 WHERE app_id = $1');
  await sql(`UPDATE event_conditions SET created_at = created_at - interval '1 day' WHERE object_id = $1`);
}

/** One device of each version checks in. */
async function checkIn(): Promise<void> {
  await sql(`UPDATE devices SET last_seen_at = now() WHERE app_id = $1 AND id LIKE '%-1'`);
}

/** Counts, and again on the next day, on which devices check in. */
async function countOnTwoDays(): Promise<void> {
  await count();
  await passDay();
  await checkIn();
  await count();
}

/** What is stored, such as `0 47` for a version of Android. @param condition on the rows */
async function versions(condition = 'true'): Promise<string[]> {
  const rows = await sql<{ version: string }>(
    `SELECT platform || ' ' || version_code AS version FROM native_versions
      WHERE app_id = $1 AND ${condition} ORDER BY 1`,
  );
  return rows.map(({ version }) => version);
}
const seen = (): Promise<string[]> => versions('is_seen');

async function news(): Promise<RecordedTestEvent[]> {
  const events = await recordedEvents({ objectId: app.id }, server.site);
  return events.filter(({ type }) => type === 'native_version_first_seen');
}

describe('a native version is seen', () => {
  it('when five devices report it on two days, and all where there are fewer', async () => {
    await add({ versionCode: '47', count: 5 });
    await add({ versionCode: '48', count: 4 });
    await add({ platform: 1, versionCode: '1.0', count: 3 });
    await add({ platform: 2, versionCode: '2.0.0', count: 2 });
    await add({ platform: 2, versionCode: '2.0.1', count: 1 });
    await count();
    expect(await versions()).toEqual(['0 47', '1 1.0']);
    await count();
    expect(await seen()).toEqual([]);
    await passDay();
    await count();
    // The same check-ins on another day.
    expect(await seen()).toEqual([]);
    await checkIn();
    await count();
    expect(await seen()).toEqual(['0 47', '1 1.0']);
  });

  it('when a thousandth of the active devices of its platform report it', async () => {
    await add({ versionCode: '47', count: 10_000 });
    await add({ versionCode: '48', count: 10 });
    await add({ versionCode: '49', count: 11 });
    await add({ versionCode: '50', count: 5000, seen: '-31 days' });
    await add({ platform: 1, versionCode: '50', count: 5 });
    await countOnTwoDays();
    expect(await seen()).toEqual(['0 47', '0 49', '1 50']);
  });

  it('not because one sends many of them, of which few are stored', async () => {
    await sql(
      `INSERT INTO devices (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version, last_seen_at)
       SELECT $1, 'device-' || n, 0, 100000 + n / 5, '', '', '', now() FROM generate_series(1, 20000) AS n`,
    );
    await add({ versionCode: '47', count: 100 });
    await countOnTwoDays();
    expect(await versions()).toEqual(['0 47']);
  });

  it('not by clocks that are a year ahead, which keep nothing from being seen afterwards', async () => {
    await add({ versionCode: '47', count: 5, seen: '1 year' });
    await countOnTwoDays();
    await sql(`UPDATE devices SET last_seen_at = now() + interval '1 year' WHERE app_id = $1`);
    await count();
    expect(await seen()).toEqual([]);
    await sql('DELETE FROM native_versions WHERE app_id = $1');
    await checkIn();
    await count();
    await sql('UPDATE native_versions SET last_day = last_day + 365 WHERE app_id = $1');
    await count();
    expect(await seen()).toEqual(['0 47']);
    const [row] = await sql<{ late: boolean }>(
      'SELECT last_day > now() AS late FROM native_versions WHERE app_id = $1',
    );
    expect(row).toEqual({ late: false });
  });

  it('with texts of any length, and digits of all scripts by their value', async () => {
    const long = '9'.repeat(255);
    await add({ versionCode: long, count: 5 });
    await add({ versionCode: '٤٧', count: 3 });
    await add({ versionCode: '47', count: 2 });
    await add({ versionCode: '𝟙'.repeat(127), count: 5 });
    await countOnTwoDays();
    expect(await seen()).toEqual([`0 ${'1'.repeat(127)}`, '0 47', `0 ${long}`].sort());
  });

  it('no longer when too few report it; the highest stays in mind', async () => {
    await add({ versionCode: '46', count: 5 });
    await add({ versionCode: '47', count: 5 });
    await countOnTwoDays();
    await add({ versionCode: '48', count: 5 });
    await count();
    expect(await versions()).toEqual(['0 46', '0 47', '0 48']);
    await sql(`DELETE FROM devices WHERE app_id = $1 AND id LIKE '%-5'`);
    await add({ versionCode: '45', count: 5 });
    await count();
    expect(await versions()).toEqual(['0 45', '0 47']);
    expect(await seen()).toEqual([]);
    await sql('DELETE FROM devices WHERE app_id = $1');
    await count();
    expect(await versions()).toEqual(['0 47']);
  });
});

describe('a new native version', () => {
  it('has one event and one email, with what its devices get', async () => {
    const watcher = await server.watcher(app.tenant);
    await add({ versionCode: '47', count: 20 });
    await countOnTwoDays();
    expect(await news()).toEqual([]);
    const { deploymentId } = await registerBundle(app);
    await registerBundle(app, { maxAndroidAppVersionCode: '47' });
    await add({ versionCode: '48', versionName: '1.5.0', count: 4 });
    await add({ versionCode: '48', versionName: '1.5.0-rc.1', count: 3 });
    await countOnTwoDays();
    await count();
    const [event, ...others] = await news();
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      appId: app.id,
      organizationId: app.tenant.organizationId,
      userId: null,
      data: {
        platform: 0,
        appVersionCode: '48',
        appVersionName: '1.5.0',
        devices: 7,
        deployments: [
          { appChannelId: app.defaultChannelId, appChannelName: 'default', appDeploymentId: deploymentId },
        ],
      },
    });
    const [mail] = await server.mailsTo(watcher, 1);
    expect(mail?.headers.get('subject')).toEqual(['New native version: Shop']);
    expect(mail?.text).toContain('Version code: 48');
    await server.mailsTo(app.tenant.owner, 0);
  });

  it('is the highest one of a day, and another one has its event on the next day', async () => {
    await add({ versionCode: '47', count: 5 });
    await add({ platform: 1, versionCode: '47', count: 5 });
    await countOnTwoDays();
    for (const versionCode of ['48', '50', '49', 'beta']) await add({ versionCode, count: 5 });
    await add({ platform: 1, versionCode: '46', count: 5 });
    await countOnTwoDays();
    const codes = async () => (await news()).map(({ data }) => data['appVersionCode']);
    expect(await codes()).toEqual(['50']);
    await add({ versionCode: '51', count: 5 });
    await count();
    // Its second day, but the same one for events.
    await sql(`UPDATE native_versions SET last_day = last_day - 1 WHERE app_id = $1 AND version_code = '51'`);
    await count();
    await count();
    expect(await seen()).toContain('0 51');
    expect(await codes()).toEqual(['50']);
    await passDay();
    await checkIn();
    await count();
    expect(await codes()).toEqual(['50', '51']);
    await passDay();
    await checkIn();
    await count();
    expect(await codes()).toEqual(['50', '51']);
  });

  it('has its event once, although it goes and comes back', async () => {
    await add({ versionCode: '47', count: 5 });
    await countOnTwoDays();
    await add({ versionCode: '48', count: 5 });
    await countOnTwoDays();
    expect(await news()).toHaveLength(1);
    await sql(`DELETE FROM devices WHERE app_id = $1 AND app_version_code = '48'`);
    await count();
    expect(await versions()).toEqual(['0 47', '0 48']);
    await passDay();
    await add({ versionCode: '48', count: 5 });
    await count();
    expect(await seen()).toEqual(['0 47', '0 48']);
    expect(await news()).toHaveLength(1);
  });
});
