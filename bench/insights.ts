import { query } from '../test/setup/databases.ts';
import { type Instance, withInstance } from './instance.ts';
import { median } from './measure.ts';

/**
 * `npm run bench:insights`: what counting a day of a million devices takes, and reading 400 days of counts.
 * docs/performance.md has the figures.
 */

const DEVICES = 1_000_000;
/** Requests of each path; the table has the median. */
const REQUESTS = 20;
const DAYS = 400;

await withInstance(measure);

async function measure({ call, databaseUrl }: Instance): Promise<void> {
  const app = await call<{ id: string }>('POST', '/v1/apps', { name: 'Benchmark' });
  const path = `/v1/apps/${app.id}`;
  const bundle = await call<{ id: string; appDeploymentId: string }>('POST', `${path}/bundles`, {
    artifactType: 'zip',
    url: 'https://cdn.example.com/bundle.zip',
  });
  await writeDevices(databaseUrl, app.id, bundle.id);
  await query(databaseUrl, `UPDATE apps SET created_at = created_at - interval '1 day' WHERE id = $1`, [
    app.id,
  ]);
  await query(databaseUrl, `INSERT INTO queue.job (name, data) VALUES ('insights', '{}')`);
  console.log(`counting a day of ${DEVICES} devices: ${(await durationOfCount(databaseUrl)).toFixed(1)} s`);
  await repeatDays(databaseUrl, app.id, bundle.id);
  await query(databaseUrl, `UPDATE deployments SET created_at = created_at - interval '400 days'`);
  const [{ rows } = { rows: 0 }] = await query<{ rows: number }>(
    databaseUrl,
    'SELECT count(*)::int AS rows FROM device_counts',
  );
  console.log(`${rows} rows of counts`);
  const range = `from=${day(DAYS)}&to=${day(1)}`;
  for (const part of [
    `active-devices?${range}`,
    `devices?groupBy=channel&${range}`,
    `devices?groupBy=appVersionName&${range}`,
    `deployments/${bundle.appDeploymentId}/adoption?${range}`,
    `downloads?limit=100&${range}`,
  ]) {
    const { milliseconds, bytes } = await timeOf(call, `${path}/insights/${part}`);
    console.log(
      `${part.replace(/[?/].*/, '')}: ${milliseconds.toFixed(0)} ms, ${(bytes / 1024).toFixed(0)} KiB`,
    );
  }
}

/** 60 versions, 40 countries, 5 channels and 30 bundles; three quarters were seen in the last thirty days. */
async function writeDevices(databaseUrl: string, appId: string, bundleId: string): Promise<void> {
  await query(
    databaseUrl,
    `INSERT INTO devices (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version,
                          country, channel_id, bundle_id, last_seen_at, seen_days)
     SELECT $1, gen_random_uuid()::text, n % 3, n % 60, '1.' || n % 60, '34', '8.4.3',
            chr(65 + n % 20) || chr(65 + n % 2),
            CASE WHEN n % 5 = 0 THEN apps.default_channel_id ELSE md5('channel ' || n % 5)::uuid END,
            CASE WHEN n % 4 = 0 THEN $2::uuid ELSE md5('bundle ' || n % 30)::uuid END,
            now() - make_interval(days => n % 40, secs => n % 3600), (n::bigint * 7919) | 1
       FROM generate_series(1, $3::int) AS n, apps WHERE apps.id = $1`,
    [appId, bundleId, DEVICES],
  );
  await query(databaseUrl, 'VACUUM ANALYZE devices');
}

/** Seconds that the transaction of the only day took. */
async function durationOfCount(databaseUrl: string): Promise<number> {
  let begun: number | null = null;
  for (;;) {
    const [{ running, done } = { running: false, done: false }] = await query<{
      running: boolean;
      done: boolean;
    }>(
      databaseUrl,
      `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE query LIKE '%WITH device AS (%'
                         AND state = 'active' AND pid <> pg_backend_pid()) AS running,
              EXISTS (SELECT FROM device_counts) AS done`,
    );
    if (running) begun ??= performance.now();
    if (done && begun !== null) return (performance.now() - begun) / 1000;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** As if all the other days had been like that one, with downloads of the bundle on each. */
async function repeatDays(databaseUrl: string, appId: string, bundleId: string): Promise<void> {
  await query(
    databaseUrl,
    `INSERT INTO device_counts SELECT app_id, dimension, day - n, others, value, daily, weekly, monthly
       FROM device_counts, generate_series(1, $1::int - 1) AS n`,
    [DAYS],
  );
  await query(
    databaseUrl,
    `INSERT INTO download_counts (artifact_id, day, kind, app_id, downloads, bytes)
     SELECT CASE b WHEN 0 THEN $2::uuid ELSE md5('bundle ' || b)::uuid END, current_date - n, 'zip', $1, 1000, 1000000
       FROM generate_series(1, $3::int) AS n, generate_series(0, 29) AS b`,
    [appId, bundleId, DAYS],
  );
  await query(databaseUrl, 'VACUUM ANALYZE device_counts, download_counts');
}

async function timeOf(
  call: Instance['call'],
  path: string,
): Promise<{ milliseconds: number; bytes: number }> {
  const times: number[] = [];
  let bytes = 0;
  for (let i = 0; i < REQUESTS; i++) {
    const start = performance.now();
    bytes = JSON.stringify(await call('GET', path)).length;
    times.push(performance.now() - start);
  }
  return { milliseconds: median(times), bytes };
}

function day(ago: number): string {
  return new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
}
