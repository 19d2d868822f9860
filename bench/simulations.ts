import { parseArgs } from 'node:util';
import { query } from '../test/setup/databases.ts';
import { type Instance, withInstance } from './instance.ts';
import { memory, resetPeak, time } from './measure.ts';

/**
 * `npm run bench:simulations`: how long a simulation takes with a million devices, how much memory the server needs
 * for it, and what update checks notice of it. docs/performance.md has the figures. Linux only.
 *
 * It fails when a simulation does not evaluate all devices, because its seconds are then those of a part. With `--sampled`
 * that is allowed, and the table says so.
 */
const { values: options } = parseArgs({ options: { sampled: { type: 'boolean', default: false } } });

/** With those that check while it is measured, a million. */
const CHECKING = 100;
const DEVICES = 1_000_000 - CHECKING;

/** Seconds that a simulation may take. */
const LIMIT = 10;

/** An update check of a device that is not known. */
async function check(origin: string, appPath: string, number: number): Promise<void> {
  const query = `platform=0&appVersionCode=12&pluginVersion=8.4.3&deviceId=checking-${number}`;
  const response = await fetch(`${origin}${appPath}/bundles/latest?${query}`);
  await response.arrayBuffer();
}

/** Milliseconds of update checks, one after the other, until work has ended. */
async function checksDuring(origin: string, appPath: string, work: Promise<unknown>): Promise<number[]> {
  let isRunning = true;
  void work.finally(() => (isRunning = false));
  const durations: number[] = [];
  for (let number = 0; isRunning; number++) {
    durations.push((await time(() => check(origin, appPath, number % CHECKING))) * 1000);
  }
  return durations.sort((a, b) => a - b);
}

const percentile = (sorted: readonly number[], share: number): number =>
  Number((sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1));

/** An app with a partial rollout before a full one, and its devices: 4 platforms and plugins, 20 native versions. */
async function prepare({ call, databaseUrl }: Instance) {
  const app = await call<{ id: string; appChannelId: string }>('POST', '/v1/apps', {
    name: 'Benchmark',
  });
  const path = `/v1/apps/${app.id}`;
  const register = (values: object) =>
    call<{ appBuildId: string; appDeploymentId: string }>('POST', `${path}/bundles`, {
      artifactType: 'zip',
      url: 'https://cdn.example.com/bundle.zip',
      ...values,
    });
  await register({});
  await register({ minAndroidAppVersionCode: '8', rolloutPercentage: 0.9 });
  const { appBuildId, appDeploymentId } = await register({
    minAndroidAppVersionCode: '10',
    rolloutPercentage: 0.1,
  });
  await query(
    databaseUrl,
    `INSERT INTO devices (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version, runtime,
                          requested_channel_names, channel_id, last_seen_at)
     SELECT $1, gen_random_uuid(), n % 2, (n / 4 % 20)::text, '1.0.0', '34',
            (ARRAY['8.4.3', '8.4.1', '7.2.0', '0.1.0'])[n % 4 + 1], CASE WHEN n % 4 = 3 THEN 'cordova' END,
            CASE WHEN n % 10 = 0 THEN ARRAY['default'] ELSE '{}' END, $2, now() - n * interval '1 second'
       FROM generate_series(1, $3::int) AS n`,
    [app.id, app.appChannelId, DEVICES],
  );
  await query(databaseUrl, 'VACUUM ANALYZE devices');
  return { path, channelId: app.appChannelId, appBuildId, appDeploymentId };
}

async function measure(instance: Instance): Promise<void> {
  const { server, origin, call } = instance;
  const pid = server.process.pid ?? 0;
  const { path, channelId, appBuildId, appDeploymentId } = await prepare(instance);
  const changes: Record<string, object> = {
    'another share of a deployment': { change: 'rollout', appDeploymentId, rolloutPercentage: 0.5 },
    'a new deployment to 30 %': {
      change: 'deploy',
      appBuildId,
      appChannelId: channelId,
      rolloutPercentage: 0.3,
    },
    'a pause': { change: 'pause', appChannelId: channelId },
  };
  const idle = await checksDuring(origin, path, new Promise((resolve) => setTimeout(resolve, 5000)));
  const results: object[] = [
    {
      what: 'no simulation',
      'check p50 (ms)': percentile(idle, 0.5),
      'check p99 (ms)': percentile(idle, 0.99),
    },
  ];
  let slowest = 0;
  let isComplete = true;
  for (const [what, change] of Object.entries(changes)) {
    const simulate = async () => {
      const start = performance.now();
      const result = await call<{
        knownDevices: number;
        evaluatedDevices: number;
        total: { changed: number };
      }>('POST', `${path}/simulations`, { ...change, seenWithinDays: 3650 });
      return { ...result, seconds: (performance.now() - start) / 1000 };
    };
    await resetPeak(pid);
    const before = await memory(pid, 'VmRSS');
    const alone = await simulate();
    const peak = await memory(pid, 'VmHWM');
    const running = simulate();
    const checks = await checksDuring(origin, path, running);
    const checked = await running;
    slowest = Math.max(slowest, alone.seconds);
    const isWhole = [alone, checked].every(
      ({ knownDevices, evaluatedDevices }) => knownDevices >= DEVICES && evaluatedDevices === knownDevices,
    );
    isComplete &&= isWhole;
    results.push({
      what: isWhole ? what : `${what}${options.sampled ? ' (sampled)' : ' (not whole)'}`,
      seconds: Number(alone.seconds.toFixed(1)),
      evaluated: alone.evaluatedDevices,
      'seconds during checks': Number(checked.seconds.toFixed(1)),
      'evaluated during checks': checked.evaluatedDevices,
      changed: alone.total.changed,
      'MiB before': before,
      'MiB peak': peak,
      'check p50 (ms)': percentile(checks, 0.5),
      'check p99 (ms)': percentile(checks, 0.99),
    });
    console.log(`${what}: ${alone.seconds.toFixed(1)} s, ${checked.seconds.toFixed(1)} s during checks`);
  }
  console.table(results);
  console.log(`At most ${slowest.toFixed(1)} s without checks; the limit is ${LIMIT} s.`);
  if (!isComplete && !options.sampled) console.error('A simulation did not evaluate all devices.');
  if (slowest > LIMIT || (!isComplete && !options.sampled)) process.exitCode = 1;
}

await withInstance(measure);
