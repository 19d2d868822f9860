import { randomUUID } from 'node:crypto';
import { seededId } from '../../../scripts/seed/ids.ts';
import { isInRollout } from '../../../src/devices/channel-decision/rollout.ts';
import type { Load } from '../../load/load.ts';
import type { SteadySettings } from '../bench.ts';
import type { Deployed, SeededApp } from './seeded-app.ts';

/** Checks that cost something else than others. */
export interface SteadyCase {
  readonly name: string;
  readonly expected: '200' | '404';
  /** Whether only devices with an id ask. Otherwise those without one do as well, in turns of their own. */
  readonly isRecordedOnly?: boolean;
  readonly isBehindProxy?: boolean;
  /** Seeds an app. @returns what its devices send */
  seed(app: SeededApp): Promise<Partial<Load>>;
}

/** What a load balancer adds. */
const PROXY_HEADERS = { 'X-Forwarded-For': '203.0.113.7', 'X-Forwarded-Proto': 'https' };
/** The devices have version 10. */
const NO_MATCH = { minAndroidAppVersionCode: '11' };

/** All cases. The first one is what the others are compared with. */
export function casesOf({ deployments, devices }: SteadySettings): SteadyCase[] {
  const most = deployments[2];
  const nothing = (name: string, seed: SteadyCase['seed']): SteadyCase => ({ name, expected: '404', seed });
  return [
    {
      name: 'an update',
      expected: '200',
      seed: (app) => deployed(app, 1),
    },
    {
      name: 'an update, custom id',
      expected: '200',
      isRecordedOnly: true,
      seed: (app) => deployed(app, 1, {}, { customIds: true }),
    },
    {
      name: 'an update, running bundle',
      expected: '200',
      seed: async (app) => ({ bundleId: (await app.deploy(2))[0]?.bundleId ?? '' }),
    },
    {
      name: 'an update, behind a proxy',
      expected: '200',
      isBehindProxy: true,
      seed: (app) => deployed(app, 1, {}, { headers: PROXY_HEADERS }),
    },
    {
      name: `an update, found as number ${most}`,
      expected: '200',
      seed: async (app) => {
        await app.deploy(1);
        return deployed(app, most - 1, NO_MATCH);
      },
    },
    nothing('no deployment', (app) => deployed(app, 0)),
    ...deployments.map((count) =>
      nothing(`${count} that do not match`, (app) => deployed(app, count, NO_MATCH)),
    ),
    nothing(`${most} at 0 %`, (app) => deployed(app, most, { rolloutPercentage: 0 })),
    nothing(`${most} at 1 %`, async (app) => {
      const rollouts = await app.deploy(most, { rolloutPercentage: 0.01 });
      return { deviceNumbers: devicesOutside(app.id, rollouts, 0.01, devices) };
    }),
    nothing(`${most}, newest damaged, unknown running bundle`, async (app) => {
      await app.deploy(most - 1);
      await app.deployDamaged();
      return { bundleId: randomUUID() };
    }),
  ];
}

async function deployed(
  app: SeededApp,
  count: number,
  values: object = {},
  sent: Partial<Load> = {},
): Promise<Partial<Load>> {
  await app.deploy(count, values);
  return sent;
}

/** Numbers of devices that take part in none of the rollouts. */
function devicesOutside(
  appId: string,
  rollouts: readonly Deployed[],
  share: number,
  count: number,
): number[] {
  const numbers: number[] = [];
  for (let number = 1; numbers.length < count; number++) {
    const deviceId = seededId(appId, 'device', number);
    if (!rollouts.some(({ deploymentId }) => isInRollout(deploymentId, deviceId, share)))
      numbers.push(number);
  }
  return numbers;
}
