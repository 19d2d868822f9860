import { createApp } from '../../builders/app.js';
import { createTenant } from '../../builders/identities.js';
import { eventually } from '../../support/eventually.js';
import { OwnSite } from '../../support/servers/own-site.js';

const DEVICES = 10_000;

it('devices that each report names of their own keep insights and simulations small', async () => {
  const site = await OwnSite.start();
  try {
    const app = await createApp(await createTenant(site));
    await site.query(`UPDATE apps SET created_at = now() - interval '3 days'`);
    await site.query(
      `INSERT INTO devices (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version,
                            requested_channel_names, last_seen_at, created_at)
       SELECT $1, rpad('d' || n, 255, 'x'), 0, rpad('c' || n, 255, 'x'), rpad('v' || n, 255, 'x'), '1',
              rpad('p' || n, 255, 'x'), ARRAY[rpad('n' || n, 255, 'x')], now() - interval '1 day', now() - interval '2 days'
         FROM generate_series(1, $2) AS n`,
      [app.id, DEVICES],
    );
    await site.query(`INSERT INTO queue.job (name, data) VALUES ('insights', '{}')`);
    await eventually(async () => {
      const rows = await site.query(`SELECT 1 FROM device_counts WHERE app_id = $1 AND dimension = 'all'`, [
        app.id,
      ]);
      expect(rows.length).toBeGreaterThan(0);
    });
    const [{ most } = { most: 0 }] = await site.query<{ most: number }>(
      `SELECT max(count)::int AS most FROM (
         SELECT count(*) AS count FROM device_counts WHERE app_id = $1 GROUP BY day, dimension) AS counts`,
      [app.id],
    );
    expect(most).toBeLessThanOrEqual(101);
    const { body } = await app.api.post(`${app.path}/simulations`, {
      change: 'pause',
      appChannelId: app.defaultChannelId,
    });
    const { breakdown } = body as {
      breakdown: {
        nativeVersions: unknown[];
        otherNativeVersions: number;
        pluginVersions: unknown[];
        otherPluginVersions: number;
      };
    };
    expect(breakdown.nativeVersions).toHaveLength(100);
    expect(breakdown.pluginVersions).toHaveLength(100);
    expect(breakdown).toMatchObject({
      otherNativeVersions: DEVICES - 100,
      otherPluginVersions: DEVICES - 100,
    });
  } finally {
    await site.dispose();
  }
});
