import { query } from '../test/setup/databases.ts';
import { type Instance, withInstance } from './instance.ts';
import { percentile, rounded, time } from './measure.ts';

/**
 * `npm run bench:warnings`: what the counts of warnings add to a request, by the number of devices of the app.
 * docs/performance.md has the figures.
 */

const SIZES = [0, 19_000, 25_000, 1_000_000];
const REQUESTS = 50;

interface Response {
  readonly warnings: readonly { readonly code: string }[];
}

/** Devices of 20 native versions, 4 plugins and 30 bundles. */
async function seed({ call, databaseUrl }: Instance, devices: number) {
  const app = await call<{ id: string; appChannelId: string }>('POST', '/v1/apps', { name: `${devices}` });
  const path = `/v1/apps/${app.id}`;
  const values = { artifactType: 'zip', url: 'https://cdn.example.com/bundle.zip' };
  const { appBuildId } = await call<{ appBuildId: string }>('POST', `${path}/bundles`, values);
  await query(
    databaseUrl,
    `INSERT INTO devices (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version,
                          bundle_id, channel_id, last_seen_at)
     SELECT $1, gen_random_uuid(), n % 2, (n / 4 % 20)::text, '1.0.' || n / 4 % 20, '34',
            (ARRAY['8.4.3', '8.4.1', '7.2.0', '0.1.0'])[n % 4 + 1], md5((n % 30)::text)::uuid, $2,
            now() - n * interval '1 second'
       FROM generate_series(1, $3::int) AS n`,
    [app.id, app.appChannelId, devices],
  );
  return `${path}/builds/${appBuildId}`;
}

async function measure(instance: Instance): Promise<void> {
  const builds = new Map<number, string>();
  for (const devices of SIZES) builds.set(devices, await seed(instance, devices));
  await query(instance.databaseUrl, 'VACUUM ANALYZE devices');
  const results: object[] = [];
  for (const [devices, build] of builds) {
    const milliseconds = async (what: 'plain' | 'counted'): Promise<number[]> => {
      const found: number[] = [];
      for (let n = 0; n < REQUESTS; n++) {
        const body = what === 'plain' ? { displayName: `${n}` } : { minAndroidAppVersionCode: `${n % 20}` };
        const request = async (): Promise<void> => {
          const { warnings } = await instance.call<Response>('PATCH', build, body);
          if (warnings.some(({ code }) => code === 'not_counted')) missing++;
        };
        found.push((await time(request)) * 1000);
      }
      return found;
    };
    let missing = 0;
    await milliseconds('counted');
    missing = 0;
    const counted = await milliseconds('counted');
    const plain = await milliseconds('plain');
    results.push({
      devices,
      'without count p50 (ms)': rounded(percentile(plain, 0.5), 1),
      'without count p99 (ms)': rounded(percentile(plain, 0.99), 1),
      'with count p50 (ms)': rounded(percentile(counted, 0.5), 1),
      'with count p99 (ms)': rounded(percentile(counted, 0.99), 1),
      'not counted': missing,
    });
  }
  console.table(results);
}

await withInstance(measure);
