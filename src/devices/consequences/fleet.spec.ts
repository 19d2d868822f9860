import { bundleIdOf, deploymentOf, tableOf } from '../../../test/support/update-checks/decision-cases.js';
import type { VersionConstraint } from '../releases/release-table.js';
import { NO_ROLLBACKS, RollbackCounts, rollbackHash } from '../releases/rollback-counts.js';
import type { SimulatedDevice } from '../simulations/simulation.js';
import {
  countConstraints,
  countHidden,
  countLosses,
  type Counting,
  type DeviceGroup,
  findBlocked,
  withChannel,
} from './fleet.js';
import { constraintWarnings } from './sentences.js';

const OPEN: VersionConstraint = { min: null, max: null, eq: null };
const counting: Counting = { now: new Date('2026-11-30T00:00:00Z'), left: () => 100 };

/** iPhones, unless the values say otherwise. */
const groupOf = (devices: number, values: Partial<DeviceGroup> = {}): DeviceGroup => ({
  platform: 1,
  appVersionCode: '47',
  appVersionName: '1.4.0',
  pluginVersion: '8.4.3',
  runtime: null,
  bundleId: null,
  requestedChannelNames: [],
  forcedChannelId: null,
  devices,
  ...values,
});
const limitedTo = (ios: Partial<VersionConstraint>) =>
  deploymentOf(1, { constraints: { android: OPEN, ios: { ...OPEN, ...ios }, electron: OPEN } });
const table = tableOf([], NO_ROLLBACKS);
const build = { appId: 'app', buildId: 'build' };
const size = { devices: 100, sampled: false };

async function warningsOf(
  groups: readonly DeviceGroup[],
  ios: Partial<VersionConstraint>,
  counted = size,
): Promise<{ code: string; message: string; count?: number }[]> {
  const counts = await countConstraints(table, groups, limitedTo(ios), null, counting);
  return counts.flatMap((each) => constraintWarnings(each, build, counted));
}

describe('the constraints of a build', () => {
  it('that admit no device are said with the version code and the version name of most', async () => {
    const groups = [groupOf(7), groupOf(1, { appVersionCode: '48', appVersionName: '1.5.0' })];
    expect(await warningsOf(groups, { max: '2.0' })).toEqual([
      {
        code: 'constraint_fits_no_device',
        message:
          'maxIosAppVersionCode 2.0 excludes 8 of 8 iOS devices that were seen in the last 30 days. Most of them report 47 and 1.4.0: 47 is a version code, 1.4.0 a version name. Constraints are compared with version codes.',
        count: 8,
        counted: size,
        remedy: {
          operationId: 'Builds_update',
          parameters: { appId: 'app', buildId: 'build', maxIosAppVersionCode: null },
          sentence: 'Set maxIosAppVersionCode to a version code that devices report, or to null for none.',
        },
      },
    ]);
  });

  it('that exclude some are counted, devices of other platforms and channels apart', async () => {
    const groups = [
      groupOf(2),
      groupOf(3, { appVersionCode: '50' }),
      groupOf(10, { platform: 0 }),
      groupOf(10, { requestedChannelNames: ['no such channel'] }),
    ];
    const [warning, ...others] = await warningsOf(groups, { max: '49' });
    expect(warning).toMatchObject({ code: 'constraint_excludes_devices', count: 3 });
    expect(warning?.message).toContain('excludes 3 of 5 iOS devices');
    expect(others).toEqual([]);
  });

  it('are estimated from a sample', async () => {
    const [warning] = await warningsOf(
      [groupOf(2), groupOf(3, { appVersionCode: '50' })],
      { max: '49' },
      {
        devices: 5,
        sampled: true,
      },
    );
    expect(warning).toMatchObject({ count: 192, counted: { devices: 5, sampled: true } });
    expect(warning?.message).toContain('about 192 of about 320 iOS devices');
  });

  it.each([
    ['a minimum that is a version name', { min: '1.4.0' }, '1.4.0 is a version name'],
    ['an excluded version that no device has', { eq: '46' }, 'No iOS device that was seen'],
  ])('name a version that no device has: %s', async (_, ios, part) => {
    const [warning, ...others] = await warningsOf([groupOf(2)], ios);
    expect(warning).toMatchObject({ code: 'native_version_unknown', count: 0 });
    expect(warning?.message).toContain(part);
    expect(others).toEqual([]);
  });

  it.each([
    ['admit all devices', { min: '47', max: '47.0' }, [groupOf(2)]],
    ['are above no device', { min: '40', max: '60' }, [groupOf(2)]],
    ['are for a platform without devices', { min: '40' }, [groupOf(2, { platform: 0 })]],
    ['have no device at all', { min: '40' }, []],
  ])('say nothing where they %s', async (_, ios, groups) => {
    expect(await warningsOf(groups, ios)).toEqual([]);
  });

  it('show the beginning of a version of 200 characters, and never half a character', async () => {
    const version = '😀'.repeat(100);
    const groups = [groupOf(1, { appVersionCode: version, appVersionName: '9'.repeat(200) })];
    const [warning] = await warningsOf(groups, { min: '1' });
    expect(warning?.message).toContain(`Most of them report ${'😀'.repeat(40)}… and ${'9'.repeat(40)}…: `);
  });
});

it('counts until the time is over', async () => {
  let left = 3;
  const late = {
    ...counting,
    left: () => {
      if (left-- === 0) throw new RangeError('late');
      return left;
    },
  };
  const groups = Array.from({ length: 1000 }, (_, n) => groupOf(1, { appVersionCode: `${n}` }));
  await expect(countConstraints(table, groups, limitedTo({ min: '1' }), null, late)).rejects.toThrow('late');
  expect(left).toBe(-1);
});

describe('a newer deployment', () => {
  const hiddenBehind = async (...newer: Parameters<typeof deploymentOf>[1][]) => {
    const older = deploymentOf(9, { rolloutPercentage: 0.5 });
    const deployments = [...newer.map((values, n) => deploymentOf(n + 1, values)), older];
    const of = { channelId: 'channel', deploymentId: older.id };
    const groups = [groupOf(2), groupOf(1, { platform: 0 }), groupOf(5, { requestedChannelNames: ['x'] })];
    return countHidden(tableOf(deployments, NO_ROLLBACKS), groups, of, counting);
  };

  it('hides one from all, from some, or from none', async () => {
    const ios = { android: OPEN, ios: { ...OPEN, max: '10' }, electron: OPEN };
    expect(await hiddenBehind({})).toEqual({ devices: 3, hidden: 3, newerId: deploymentOf(1).id });
    expect(await hiddenBehind({ rolloutPercentage: 0 }, {})).toMatchObject({ newerId: deploymentOf(2).id });
    expect(await hiddenBehind({ constraints: ios })).toMatchObject({ devices: 3, hidden: 1 });
    expect(await hiddenBehind({ rolloutPercentage: 0.9 })).toEqual({ devices: 3, hidden: 0, newerId: null });
    expect(await hiddenBehind({ approvalStatus: 'pending' })).toMatchObject({ hidden: 0 });
    expect(await hiddenBehind()).toMatchObject({ hidden: 0 });
  });
});

it('counts devices that lose their updates by another name of their channel', async () => {
  const before = tableOf([deploymentOf(1)], NO_ROLLBACKS);
  const after = withChannel(before, 'channel', { name: 'other' });
  const groups = [
    groupOf(2, { requestedChannelNames: ['Default'] }),
    groupOf(3),
    groupOf(4, { requestedChannelNames: ['other'] }),
  ];
  expect([...(await countLosses(before, after, groups, counting))]).toEqual([['channel-not-found', 2]]);
  const paused = withChannel(before, 'channel', { pausedAt: counting.now });
  expect([...(await countLosses(paused, after, groups, counting))]).toEqual([]);
});

it('finds devices that have rolled a bundle back too often, by the function of the update check', async () => {
  const rollbacks = new RollbackCounts();
  const device = (id: string): SimulatedDevice => ({ ...groupOf(1), id });
  const count = (id: string, consecutive: number): void =>
    rollbacks.set(rollbackHash(id, bundleIdOf(1), '47'), { consecutive, all: consecutive });
  count('often', 3);
  count('once', 1);
  count('elsewhere', 3);
  const devices = [device('often'), device('once'), { ...device('elsewhere'), requestedChannelNames: ['x'] }];
  const of = tableOf([deploymentOf(1, { rolloutPercentage: 0 })], rollbacks);
  const [deployment] = of.channels[0]!.deployments;
  const find = async (rollbackLimit: number | null): Promise<string[]> => {
    const changed = withChannel(of, 'channel', { rollbackLimit, pausedAt: counting.now });
    return (await findBlocked(changed, devices, deployment!, 'channel', counting)).map(({ id }) => id);
  };
  expect(await find(3)).toEqual(['often']);
  expect(await find(1)).toEqual(['often', 'once']);
  expect(await find(null)).toEqual([]);
});
