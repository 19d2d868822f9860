import fc from 'fast-check';
import { fits, missingFor, type RunnerAbilities } from './abilities.js';
import { assign, type OrganizationQueue, type QueuedJob, type WaitingRunner } from './assign.js';

type NamedRunner = WaitingRunner & { readonly name: string };

const runner = (name: string, changes: Partial<WaitingRunner> = {}): NamedRunner => ({
  name,
  organizationId: 'acme',
  appIds: null,
  platforms: ['web'],
  stacks: [],
  labels: [],
  free: 1,
  ...changes,
});

const job = (id: string, changes: Partial<QueuedJob> = {}): QueuedJob => ({
  id,
  organizationId: 'acme',
  appId: 'shop',
  platform: 'web',
  stack: 'macos-tahoe',
  labels: [],
  yields: false,
  ...changes,
});

/** A queue of jobs by app, without limits unless given. */
function queue(
  apps: Readonly<Record<string, QueuedJob[]>>,
  { free = Infinity, appFree = Infinity, organizationId = 'acme', account = '' } = {},
): OrganizationQueue {
  return {
    organizationId,
    account: account || organizationId,
    free,
    apps: Object.entries(apps).map(([appId, jobs]) => ({
      appId,
      free: appFree,
      jobs: jobs.map((each) => ({ ...each, appId, organizationId })),
    })),
  };
}

const given = (queues: OrganizationQueue[], runners: NamedRunner[], maximum = 100): string[] =>
  assign(queues, runners, maximum).map((assignment) => `${assignment.job.id}→${assignment.runner.name}`);

const many = (count: number): NamedRunner[] => Array.from({ length: count }, (_, n) => runner(`r${n}`));

describe('assign', () => {
  it('serves apps in turn, and of each the oldest job first', () => {
    const queues = [queue({ shop: [job('s1'), job('s2'), job('s3')], blog: [job('b1')] })];
    expect(given(queues, many(4))).toEqual(['s1→r0', 'b1→r1', 's2→r2', 's3→r3']);
  });

  it('passes over apps at their limit, and organizations at theirs', () => {
    const apps = () => ({ shop: [job('s1'), job('s2')], blog: [job('b1'), job('b2')] });
    expect(given([queue(apps(), { appFree: 1 })], many(9))).toEqual(['s1→r0', 'b1→r1']);
    expect(given([queue(apps(), { free: 3 })], many(9))).toHaveLength(3);
    expect(given([queue(apps(), { free: 0 })], many(9))).toEqual([]);
    expect(given([queue(apps(), { free: -2 })], many(9))).toEqual([]);
  });

  it('serves organizations in turn with runners for all', () => {
    const queues = [
      queue({ shop: [job('a1'), job('a2')] }),
      queue({ site: [job('g1')] }, { organizationId: 'globex' }),
    ];
    const shared = many(3).map((each) => ({ ...each, organizationId: null }));
    expect(given(queues, shared)).toEqual(['a1→r0', 'g1→r1', 'a2→r2']);
  });

  it('serves accounts in turn, however many organizations they have', () => {
    const of = (organizationId: string, account: string): OrganizationQueue =>
      queue(
        { [organizationId]: [job(`${organizationId}1`), job(`${organizationId}2`)] },
        { organizationId, account },
      );
    const queues = [of('a', 'ann'), of('b', 'ann'), of('c', 'ann'), of('d', 'dan')];
    const shared = many(7).map((each) => ({ ...each, organizationId: null }));
    expect(given(queues, shared).map((each) => each.slice(0, 2))).toEqual([
      'a1',
      'd1',
      'b1',
      'd2',
      'c1',
      'a2',
      'b2',
    ]);
  });

  it('lets people pass automations, of every app', () => {
    const queues = [queue({ shop: [job('auto', { yields: true }), job('s')], blog: [job('b')] })];
    expect(given(queues, many(3))).toEqual(['s→r0', 'b→r1', 'auto→r2']);
  });

  it('is not held up by jobs that no runner fits', () => {
    const queues = [
      queue({ shop: [job('ios', { platform: 'ios' }), job('gpu', { labels: ['gpu'] }), job('s')] }),
    ];
    expect(given(queues, many(2))).toEqual(['s→r0']);
  });

  it('keeps runners free that can do more than the job needs', () => {
    const mac = runner('mac', { platforms: ['ios', 'web'], stacks: ['macos-tahoe'] });
    const queues = () => [queue({ shop: [job('s1'), job('i1', { platform: 'ios' })] })];
    expect(given(queues(), [mac, runner('linux')])).toEqual(['s1→linux', 'i1→mac']);
    expect(given(queues(), [mac])).toEqual(['s1→mac']);
  });

  it('prefers runners of the organization, then the hinted stack, then free slots', () => {
    const [shared, own] = [runner('shared', { organizationId: null }), runner('own')];
    const [hinted, idle] = [runner('hinted', { stacks: ['macos-tahoe'] }), runner('idle', { free: 4 })];
    const one = () => [queue({ shop: [job('s1')] })];
    expect(given(one(), [shared, own])).toEqual(['s1→own']);
    expect(given(one(), [own, hinted, idle])).toEqual(['s1→hinted']);
    expect(given(one(), [own, idle])).toEqual(['s1→idle']);
  });

  it('keeps every limit, and gives each job and each runner once', () => {
    fc.assert(
      fc.property(anyQueues(), anyRunners(), fc.integer({ min: 0, max: 12 }), (queues, runners, maximum) => {
        const limits = queues.map(({ free, apps }) => ({ free, apps: apps.map((app) => app.free) }));
        const sizes = queues.map(({ apps }) => apps.map(({ jobs }) => jobs.length));
        const assignments = assign(queues, runners, maximum);
        expect(assignments.length).toBeLessThanOrEqual(maximum);
        expect(new Set(assignments.map((each) => each.job.id)).size).toBe(assignments.length);
        expect(new Set(assignments.map((each) => each.runner)).size).toBe(assignments.length);
        expect(assignments.every((each) => fits(each.job, each.runner))).toBe(true);
        for (const [index, { organizationId }] of queues.entries()) {
          const own = assignments.filter((each) => each.job.organizationId === organizationId);
          expect(own.length).toBeLessThanOrEqual(Math.max(0, limits[index]?.free ?? 0));
        }
        expect(sizes.flat().reduce((a, b) => a + b, 0)).toBe(
          assignments.length +
            queues.flatMap(({ apps }) => apps).reduce((sum, app) => sum + app.jobs.length, 0),
        );
      }),
    );
  });
});

describe('missingFor', () => {
  const web: RunnerAbilities = runner('web');
  const ios: RunnerAbilities = runner('mac', {
    platforms: ['ios'],
    stacks: ['macos-sequoia'],
    labels: ['fast'],
  });

  it.each<[string, Partial<QueuedJob>, RunnerAbilities[], string | null]>([
    ['a runner that fits', {}, [web], null],
    ['no runner', {}, [], 'No runner is registered for this app.'],
    ['runners of others', { organizationId: 'globex' }, [web], 'No runner is registered for this app.'],
    ['runners of other apps', {}, [{ ...web, appIds: ['blog'] }], 'No runner is registered for this app.'],
    ['another platform', { platform: 'ios' }, [web], 'No runner builds for the platform ios.'],
    ['another stack', { platform: 'ios' }, [web, ios], 'No runner for ios has the stack macos-tahoe.'],
    ['a label', { labels: ['gpu'] }, [web], 'No runner for web has the label gpu.'],
    ['two labels', { labels: ['a', 'b'] }, [web], 'No runner for web has the labels a, b.'],
    [
      'labels of two runners',
      { labels: ['a', 'b'] },
      [
        { ...web, labels: ['a'] },
        { ...web, labels: ['b'] },
      ],
      'No runner for web has all of the labels a, b.',
    ],
  ])('of %s', (_what, needs, runners, expected) => {
    expect(missingFor(job('j', needs), runners)).toBe(expected);
  });
});

const platform = () => fc.constantFrom('web', 'ios', 'android');

function anyRunners(): fc.Arbitrary<NamedRunner[]> {
  return fc.array(
    fc
      .record({
        organizationId: fc.constantFrom(null, 'org0', 'org1'),
        platforms: fc.uniqueArray(platform(), { minLength: 1 }),
        labels: fc.uniqueArray(fc.constantFrom('a', 'b')),
        stacks: fc.uniqueArray(fc.constantFrom('macos-tahoe', 'macos-sequoia')),
        free: fc.integer({ min: 1, max: 4 }),
      })
      .map((changes) => runner('any', changes)),
    { maxLength: 12 },
  );
}

function anyQueues(): fc.Arbitrary<OrganizationQueue[]> {
  const jobs = fc.array(
    fc.record({
      platform: platform(),
      labels: fc.uniqueArray(fc.constantFrom('a', 'b')),
      yields: fc.boolean(),
    }),
    { maxLength: 6 },
  );
  const app = fc.record({ free: fc.integer({ min: 0, max: 4 }), jobs });
  const organization = fc.record({
    free: fc.integer({ min: -1, max: 6 }),
    apps: fc.array(app, { maxLength: 3 }),
  });
  return fc.array(organization, { maxLength: 2 }).map((organizations) =>
    organizations.map(({ free, apps }, o) => ({
      organizationId: `org${o}`,
      account: `org${o}`,
      free,
      apps: apps.map((each, a) => ({
        appId: `app${o}${a}`,
        free: each.free,
        jobs: each.jobs.map((needs, j) =>
          job(`${o}.${a}.${j}`, { ...needs, organizationId: `org${o}`, appId: `app${o}${a}` }),
        ),
      })),
    })),
  );
}
