import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { BUNDLE } from '../../../test/support/update-checks/decision-cases.js';
import { NO_ROLLBACKS } from '../releases/rollback-counts.js';
import { decide } from './channel-decision.js';
import type { Decision, TraceStep, UpdateCheck } from './decision.js';
import type {
  ReleaseBundle,
  ReleaseChannel,
  ReleaseDeployment,
  ReleaseTable,
} from '../releases/release-table.js';

const NOW = new Date('2026-05-01T12:00:00.000Z');
const clock = (): Date => NOW;
const EARLIER = new Date(NOW.getTime() - 1);
const LATER = new Date(NOW.getTime() + 1);
const ANY_VERSION = { min: null, max: null, eq: null };

type DeploymentValues = Partial<Omit<ReleaseDeployment, 'bundle' | 'constraints'>> & {
  bundle?: Partial<ReleaseBundle>;
  constraints?: Partial<ReleaseDeployment['constraints']>;
};

function deployment({ bundle, constraints, ...values }: DeploymentValues = {}): ReleaseDeployment {
  return {
    id: 'deployment',
    createdAt: EARLIER,
    sequence: 1,
    approvalStatus: 'approved',
    rolloutPercentage: 1,
    ...values,
    constraints: { android: ANY_VERSION, ios: ANY_VERSION, electron: ANY_VERSION, ...constraints },
    bundle: { ...BUNDLE, ...bundle },
  };
}

function channel(values: Partial<ReleaseChannel> = {}): ReleaseChannel {
  const name = values.name ?? 'production';
  return {
    id: `${name}-id`,
    name,
    pausedAt: null,
    expiresAt: null,
    protectedAt: null,
    rollbackLimit: null,
    deployments: [deployment({ id: `${name}-deployment` })],
    retiredBundles: new Map(),
    ...values,
  };
}

function table(values: Partial<ReleaseTable> = {}): ReleaseTable {
  const channels = values.channels ?? [channel()];
  const defaultChannelId = channels[0]?.id ?? null;
  return {
    appId: 'app',
    defaultChannelId,
    channels,
    forcedChannelIds: new Map(),
    knownBundles: null,
    rollbacks: NO_ROLLBACKS,
    ...values,
  };
}

function check(values: Partial<UpdateCheck> = {}): UpdateCheck {
  return {
    deviceId: 'device',
    channelName: null,
    platform: 'android',
    appVersionCode: '10',
    pluginVersion: '8.4.3',
    ...values,
  };
}

/** Offers these deployments, in this order, to one device. */
function offer(
  deployments: DeploymentValues[],
  device: Partial<UpdateCheck> = {},
  values: Partial<ReleaseChannel> = {},
): Decision {
  const channels = [channel({ ...values, deployments: deployments.map(deployment) })];
  return decide(table({ channels }), check(device), clock);
}

const served = (decision: Decision) => decision.deployment?.id ?? null;

describe('selection of the channel', () => {
  const channels = [channel(), channel({ name: 'Beta' }), channel({ name: 'qa' })];
  const forcedChannelIds = new Map([
    ['forced-device', 'qa-id'],
    ['orphan', 'deleted-id'],
    ['', 'qa-id'],
  ]);
  const app = table({ channels, forcedChannelIds });
  const select = (values: Partial<UpdateCheck>) => {
    const decision = decide(app, check(values), clock);
    return [decision.channel?.name ?? null, decision.reason];
  };

  it('prefers the forced channel to the requested and the default one', () => {
    expect(select({ deviceId: 'forced-device', channelName: 'Beta' })).toEqual(['qa', 'served']);
    expect(select({ deviceId: 'forced-device' })).toEqual(['qa', 'served']);
    expect(select({ deviceId: 'forced-device', channelName: 'unknown' })).toEqual(['qa', 'served']);
  });

  it('prefers the requested channel to the default one', () => {
    expect(select({ channelName: 'qa' })).toEqual(['qa', 'served']);
  });

  it.each(['Beta', 'beta', 'BETA', '  bEtA\t'])(
    'finds a requested channel in any case, trimmed: "%s"',
    (name) => {
      expect(select({ channelName: name })).toEqual(['Beta', 'served']);
    },
  );

  it('does not fall back to the default when the requested channel does not exist', () => {
    expect(select({ channelName: 'unknown' })).toEqual([null, 'channel-not-found']);
  });

  it.each([null, '', '  '])('uses the default channel when none is requested: %j', (channelName) => {
    expect(select({ channelName })).toEqual(['production', 'served']);
  });

  it('ignores a forced channel that the app does not have any more', () => {
    expect(select({ deviceId: 'orphan', channelName: 'Beta' })).toEqual(['Beta', 'served']);
    expect(select({ deviceId: 'orphan' })).toEqual(['production', 'served']);
  });

  it('forces no channel on a device without id', () => {
    expect(select({ deviceId: '' })).toEqual(['production', 'served']);
    expect(select({ deviceId: null })).toEqual(['production', 'served']);
  });

  it.each([null, 'deleted-id'])('serves nothing without default channel: %j', (defaultChannelId) => {
    const decision = decide(table({ channels, defaultChannelId }), check(), clock);
    expect(decision).toEqual({ channel: null, deployment: null, reason: 'no-default-channel', trace: [] });
  });

  it('prefers the exact spelling among names that differ in case only', () => {
    const twins = [channel({ name: 'É' }), channel({ name: 'é' })];
    for (const order of [twins, twins.toReversed()]) {
      const names = ['É', 'é'].map(
        (channelName) => decide(table({ channels: order }), check({ channelName }), clock).channel?.name,
      );
      expect(names).toEqual(['É', 'é']);
    }
  });
});

describe('state of the channel', () => {
  const reason = (values: Partial<ReleaseChannel>) => offer([{}], {}, values).reason;

  it('stops delivery while the channel is paused', () => {
    expect(reason({ pausedAt: EARLIER })).toBe('channel-paused');
    expect(reason({ pausedAt: EARLIER, expiresAt: EARLIER })).toBe('channel-paused');
  });

  it('stops delivery at the instant of expiry', () => {
    expect(reason({ expiresAt: EARLIER })).toBe('channel-expired');
    expect(reason({ expiresAt: NOW })).toBe('channel-expired');
    expect(reason({ expiresAt: LATER })).toBe('served');
  });

  it('names the channel that serves nothing', () => {
    const decision = offer([{}], {}, { pausedAt: EARLIER });
    expect(decision.channel?.name).toBe('production');
    expect(decision.deployment).toBeNull();
  });

  it('does not turn to the default when the forced channel is paused', () => {
    const channels = [channel(), channel({ name: 'qa', pausedAt: EARLIER })];
    const app = table({ channels, forcedChannelIds: new Map([['device', 'qa-id']]) });
    expect(decide(app, check(), clock).reason).toBe('channel-paused');
  });
});

describe('choice of the deployment', () => {
  it('takes the newest, wherever it stands in the list', () => {
    const old = { id: 'z', sequence: 1 };
    const recent = { id: 'a', sequence: 2 };
    expect(served(offer([old, recent]))).toBe('a');
    expect(served(offer([recent, old]))).toBe('a');
  });

  it('takes the one of the higher sequence, whatever the clock said', () => {
    const deployments = [
      { id: 'first', createdAt: LATER, sequence: 9 },
      { id: 'second', createdAt: EARLIER, sequence: 10 },
    ];
    expect(served(offer(deployments))).toBe('second');
    expect(served(offer(deployments.toReversed()))).toBe('second');
  });

  it('falls back to the next older one that is acceptable', () => {
    const decision = offer([
      { id: 'oldest', sequence: 1 },
      { id: 'older', sequence: 2 },
      { id: 'newer', sequence: 3, rolloutPercentage: 0 },
      { id: 'newest', sequence: 4, bundle: { status: 'pending' } },
    ]);
    expect(served(decision)).toBe('older');
  });

  describe('when the newest bundle has expired', () => {
    const older = { id: 'older', sequence: 1, bundle: { id: 'older-bundle' } };
    const running = { id: 'running', sequence: 2, rolloutPercentage: 0, bundle: { id: 'running-bundle' } };
    const expired = { id: 'expired', sequence: 3, bundle: { id: 'expired-bundle', expiresAt: EARLIER } };
    const device = { bundleId: 'running-bundle' };

    it('keeps what the device runs instead of an older one', () => {
      expect(served(offer([older, running, expired], device))).toBeNull();
      expect(served(offer([older, { ...running, rolloutPercentage: 1 }, expired], device))).toBe('running');
    });

    it('offers it to devices that run it, and an older one to those with the bundle of the app', () => {
      expect(served(offer([older, running, expired], { bundleId: 'EXPIRED-BUNDLE' }))).toBe('expired');
      expect(served(offer([older, running, expired], { bundleId: null }))).toBe('older');
    });

    it('keeps what the device runs when its age is unknown', () => {
      expect(served(offer([older, running, expired], { bundleId: 'unknown' }))).toBeNull();
    });

    it('does not matter to devices that it was not meant for', () => {
      const foreign = { ...expired, constraints: { android: { min: '20', max: null, eq: null } } };
      expect(served(offer([older, running, foreign], { ...device, appVersionCode: '15' }))).toBe('older');
    });
  });

  it('passes over deployments that need approvals still', () => {
    const decision = offer([
      { id: 'live', createdAt: new Date(1) },
      { id: 'pending', createdAt: new Date(2), approvalStatus: 'pending' },
    ]);
    expect(served(decision)).toBe('live');
  });

  it('serves nothing when nothing was deployed or nothing is acceptable', () => {
    expect(offer([]).reason).toBe('no-acceptable-deployment');
    expect(offer([{ rolloutPercentage: 0 }]).reason).toBe('no-acceptable-deployment');
  });

  it('never offers a bundle that is not ready', () => {
    expect(served(offer([{ bundle: { status: 'pending' } }]))).toBeNull();
    expect(served(offer([{ bundle: { status: 'pending', url: 'https://example.com/app.zip' } }]))).toBeNull();
  });

  it('respects the rollout percentage', () => {
    const own =
      Number(`0x${createHash('sha256').update('deployment:device').digest('hex').slice(0, 8)}`) / 2 ** 32;
    expect(served(offer([{ rolloutPercentage: own }]))).toBeNull();
    expect(served(offer([{ rolloutPercentage: own + 2 ** -32 }]))).toBe('deployment');
  });

  it.each([null, ''])('offers full rollouts only to devices without id: %j', (deviceId) => {
    expect(served(offer([{ rolloutPercentage: 0.999 }], { deviceId }))).toBeNull();
    expect(served(offer([{ rolloutPercentage: 1 }], { deviceId }))).toBe('deployment');
  });

  it.each([
    [{ min: '11' }, false],
    [{ min: '10' }, true],
    [{ max: '9' }, false],
    [{ max: '10' }, true],
    [{ eq: '10' }, false],
    [{ eq: '10.0' }, false],
    [{ eq: '11' }, true],
    [{ min: '9', max: '11', eq: '10' }, false],
  ])('applies the constraint %j to native version 10', (constraint, acceptable) => {
    const android = { ...ANY_VERSION, ...constraint };
    expect(offer([{ constraints: { android } }]).reason === 'served').toBe(acceptable);
  });

  it.each(['android', 'ios', 'electron'] as const)(
    'applies the constraints of the own platform only: %s',
    (own) => {
      const impossible = { min: '11', max: '9', eq: '10' };
      const others = { android: impossible, ios: impossible, electron: impossible };
      expect(served(offer([{ constraints: { [own]: impossible } }], { platform: own }))).toBeNull();
      expect(served(offer([{ constraints: { ...others, [own]: ANY_VERSION } }], { platform: own }))).toBe(
        'deployment',
      );
    },
  );

  it('offers only signed bundles in a protected channel', () => {
    const protection = { protectedAt: EARLIER };
    expect(served(offer([{ bundle: { signed: false } }], {}, protection))).toBeNull();
    expect(served(offer([{ bundle: { signed: true } }], {}, protection))).toBe('deployment');
    expect(served(offer([{ bundle: { signed: false } }]))).toBe('deployment');
  });

  it.each([
    [{ platform: 'electron', pluginVersion: '8.4.3' }, false],
    [{ platform: 'electron', pluginVersion: '' }, false],
    [{ pluginVersion: '6.4.9' }, false],
    [{ pluginVersion: '6.5.0-beta.1' }, false],
    [{ pluginVersion: '0.1.0' }, false],
    [{ pluginVersion: '6.5.0' }, true],
    [{ pluginVersion: '6.10.0' }, true],
    [{ pluginVersion: '10.0.0', platform: 'ios' }, true],
    [{ pluginVersion: '' }, true],
    [{ pluginVersion: 'unknown' }, true],
    [{ pluginVersion: '0.1.0', runtime: 'cordova' }, true],
    [{ pluginVersion: '0.1.0', runtime: null }, false],
  ] satisfies [Partial<UpdateCheck>, boolean][])('offers manifests to %j: %j', (device, acceptable) => {
    expect(offer([{ bundle: { artifactType: 'manifest' } }], device).reason === 'served').toBe(acceptable);
    expect(offer([{ bundle: { artifactType: 'zip' } }], device).reason).toBe('served');
  });
});

describe('registered bundles without a checksum', () => {
  const without = { id: 'bundle', checksum: null } as const;
  const isOffered = (device: Partial<UpdateCheck>, bundle: Partial<ReleaseBundle> = without): boolean =>
    offer([{ bundle }], device).reason === 'served';

  it.each([
    ['6.6.9', true],
    ['6.7.0-rc.1', true],
    ['6.7', false],
    ['6.7.0', false],
    ['6.8.0', false],
    ['6.99.99', false],
    ['7', true],
    ['7.0.0', true],
    ['7.0.9', true],
    ['7.1', false],
    ['7.1.0', false],
    ['7.1.0+build', false],
    ['7.3.9-beta', false],
    ['7.3.9', false],
    ['7.4', true],
    ['7.4.0', true],
    ['7.10.0', true],
    ['8.4.3', true],
    ['', true],
    ['abc', true],
    ['v7.2.2', true],
  ])('are offered to Capacitor %j on Android: %j', (pluginVersion, offered) => {
    expect(isOffered({ pluginVersion })).toBe(offered);
    expect(isOffered({ pluginVersion, platform: 'ios' })).toBe(true);
    expect(isOffered({ pluginVersion, platform: 'electron' })).toBe(true);
    expect(isOffered({ pluginVersion, runtime: 'cordova' })).toBe(true);
    expect(isOffered({ pluginVersion, runtime: '' })).toBe(offered);
    expect(isOffered({ pluginVersion, bundleId: 'BUNDLE' })).toBe(true);
    expect(isOffered({ pluginVersion, bundleId: 'another' })).toBe(offered);
    expect(isOffered({ pluginVersion }, { ...without, signed: true, signature: 'AA==' })).toBe(true);
    expect(isOffered({ pluginVersion }, { ...without, checksum: '0'.repeat(64) })).toBe(true);
    expect(isOffered({ pluginVersion }, { ...without, artifactType: 'manifest' })).toBe(true);
  });

  it('do not make a device go back', () => {
    const deployments = [
      { id: 'older', sequence: 1, bundle: { id: 'older-bundle' } },
      { id: 'running', sequence: 2, bundle: { id: 'running-bundle' } },
      { id: 'newest', sequence: 3, bundle: without },
    ];
    const servedTo = (bundleId: string | null): string | null =>
      served(offer(deployments, { pluginVersion: '7.2.2', bundleId }));
    expect(servedTo('running-bundle')).toBe('running');
    expect(servedTo('bundle')).toBe('newest');
    expect(servedTo('unknown')).toBeNull();
    expect(servedTo(null)).toBe('running');
  });
});

describe('bundles that Slipway does not know', () => {
  const signed = { artifactType: 'manifest', signed: true } as const;
  const decideFor = (bundle: object, bundleId: string | null, knownBundles: ReadonlySet<string> | null) => {
    const channels = [channel({ deployments: [deployment({ bundle: { id: 'new', ...bundle } })] })];
    return decide(table({ channels, knownBundles }), check({ bundleId }), clock).reason;
  };

  it('do not matter unless the app says so', () => {
    expect(decideFor(signed, 'unknown', null)).toBe('served');
    expect(decideFor(signed, 'unknown', new Set(['known']))).toBe('unsafe-reuse');
  });

  it.each([
    ['the device runs a known one', signed, 'KNOWN'],
    ['it runs the offered one', signed, 'new'],
    ['it runs the one of the app', signed, null],
    ['the offered one is a zip', { artifactType: 'zip', signed: true }, 'unknown'],
    ['the offered one is not signed', { artifactType: 'manifest', signed: false }, 'unknown'],
  ] as const)('do not matter if %s', (_case, bundle, bundleId) => {
    expect(decideFor(bundle, bundleId, new Set(['known']))).toBe('served');
  });
});

describe('trace', () => {
  const explain = (app: ReleaseTable, values: Partial<UpdateCheck> = {}) => {
    const trace: TraceStep[] = [];
    const decision = decide(app, check(values), clock, trace);
    expect(decision.trace).toBe(trace);
    return trace;
  };

  it('is empty unless it is requested', () => {
    expect(decide(table(), check(), clock).trace).toEqual([]);
  });

  it('lists every step with the values compared', () => {
    const android = { min: '11', max: null, eq: '7' };
    const production = channel({
      protectedAt: EARLIER,
      expiresAt: LATER,
      deployments: [
        deployment({ id: 'old', bundle: { id: 'signed', signed: true } }),
        deployment({
          id: 'new',
          createdAt: NOW,
          sequence: 2,
          rolloutPercentage: 0.25,
          constraints: { android },
          bundle: { id: 'unsigned', artifactType: 'manifest', checksum: null },
        }),
      ],
    });
    const app = table({ channels: [production], forcedChannelIds: new Map([['device', 'deleted-id']]) });
    const bucketOf = (id: string) =>
      createHash('sha256').update(`${id}:device`).digest().readUInt32BE() / 2 ** 32;

    expect(explain(app, { channelName: ' Production ', pluginVersion: '6.0.3' })).toEqual([
      {
        step: 'request',
        deviceId: 'device',
        channelName: 'Production',
        platform: 'android',
        appVersionCode: '10',
        pluginVersion: '6.0.3',
        runtime: null,
        bundleId: null,
      },
      { step: 'channel-rule', rule: 'forced', outcome: 'not-found', value: 'deleted-id', channelId: null },
      {
        step: 'channel-rule',
        rule: 'requested',
        outcome: 'selected',
        value: 'Production',
        channelId: 'production-id',
      },
      {
        step: 'channel-state',
        outcome: 'delivering',
        channelId: 'production-id',
        pausedAt: null,
        expiresAt: '2026-05-01T12:00:00.001Z',
        now: '2026-05-01T12:00:00.000Z',
      },
      {
        step: 'deployment',
        outcome: 'rejected',
        deploymentId: 'new',
        bundleId: 'unsigned',
        createdAt: '2026-05-01T12:00:00.000Z',
        checks: [
          { check: 'ready', passed: true, required: 'ready', actual: 'ready' },
          { check: 'approved', passed: true, required: 'approved', actual: 'approved' },
          { check: 'rollout', passed: bucketOf('new') < 0.25, required: 0.25, actual: bucketOf('new') },
          { check: 'min', passed: false, required: '11', actual: '10' },
          { check: 'max', passed: true, required: null, actual: '10' },
          { check: 'eq', passed: true, required: '7', actual: '10' },
          { check: 'protection', passed: false, required: 'signed', actual: 'unsigned' },
          { check: 'type-support', passed: false, required: 'zip', actual: 'manifest' },
          { check: 'expiry', passed: true, required: null, actual: null },
          { check: 'damage', passed: true, required: 'intact', actual: 'intact' },
          { check: 'empty-files', passed: true, required: null, actual: 'manifest' },
          { check: 'missing-checksum', passed: true, required: null, actual: null },
          { check: 'rollback', passed: true, required: null, actual: 0 },
          { check: 'downgrade', passed: true, required: null, actual: null },
          { check: 'reuse', passed: true, required: null, actual: null },
        ],
      },
      {
        step: 'deployment',
        outcome: 'accepted',
        deploymentId: 'old',
        bundleId: 'signed',
        createdAt: '2026-05-01T11:59:59.999Z',
        checks: [
          { check: 'ready', passed: true, required: 'ready', actual: 'ready' },
          { check: 'approved', passed: true, required: 'approved', actual: 'approved' },
          { check: 'rollout', passed: true, required: 1, actual: bucketOf('old') },
          { check: 'min', passed: true, required: null, actual: '10' },
          { check: 'max', passed: true, required: null, actual: '10' },
          { check: 'eq', passed: true, required: null, actual: '10' },
          { check: 'protection', passed: true, required: 'signed', actual: 'signed' },
          { check: 'type-support', passed: true, required: 'zip', actual: 'zip' },
          { check: 'expiry', passed: true, required: null, actual: null },
          { check: 'damage', passed: true, required: 'intact', actual: 'intact' },
          { check: 'empty-files', passed: true, required: null, actual: 'zip' },
          { check: 'missing-checksum', passed: true, required: null, actual: 'checksum' },
          { check: 'rollback', passed: true, required: null, actual: 0 },
          { check: 'downgrade', passed: true, required: null, actual: null },
          { check: 'reuse', passed: true, required: null, actual: null },
        ],
      },
      { step: 'result', outcome: 'served', channelId: 'production-id', deploymentId: 'old' },
    ]);
  });

  it('ends at the rule that selects no channel', () => {
    expect(explain(table(), { deviceId: '', channelName: 'unknown' }).slice(1)).toEqual([
      { step: 'channel-rule', rule: 'forced', outcome: 'not-set', value: null, channelId: null },
      { step: 'channel-rule', rule: 'requested', outcome: 'not-found', value: 'unknown', channelId: null },
      { step: 'result', outcome: 'channel-not-found', channelId: null, deploymentId: null },
    ]);
    expect(explain(table({ defaultChannelId: null })).slice(3)).toEqual([
      { step: 'channel-rule', rule: 'default', outcome: 'not-set', value: null, channelId: null },
      { step: 'result', outcome: 'no-default-channel', channelId: null, deploymentId: null },
    ]);
  });

  it('looks at no deployment of a paused channel', () => {
    const steps = explain(table({ channels: [channel({ pausedAt: EARLIER })] })).map((step) => step.step);
    expect(steps).toEqual([
      'request',
      'channel-rule',
      'channel-rule',
      'channel-rule',
      'channel-state',
      'result',
    ]);
  });
});

describe('for any releases and any device', () => {
  const versionRanks = new Map([
    ['1', 1],
    ['2', 2],
    ['2.0', 2],
    ['2.0.1', 2.1],
    ['10', 10],
  ]);
  const semanticRanks = new Map([...versionRanks, ['2.0.0-rc.1', 1.9], ['2.0.0+7', 2]]);
  const version = fc.constantFrom(...semanticRanks.keys(), 'x');
  const manifestPlugins = new Map([
    ['8.4.3', true],
    ['6.5.0', true],
    ['', true],
    ['6.8.0', true],
    ['7.3.1', true],
    ['6.4.9', false],
    ['0.1.0', false],
  ]);

  const seldom = <T>(value: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });
  const instant = fc.constantFrom(EARLIER, NOW, LATER);
  const constraint = fc.record({ min: seldom(version), max: seldom(version), eq: seldom(version) });
  const anyDeployment = fc.record<ReleaseDeployment>({
    id: fc.uuid(),
    createdAt: instant,
    sequence: fc.nat(),
    approvalStatus: fc.constantFrom('approved', 'approved', 'pending'),
    rolloutPercentage: fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true })),
    constraints: fc.record({ android: constraint, ios: constraint, electron: constraint }),
    bundle: fc
      .record({
        id: fc.constantFrom('bundle-1', 'bundle-2', 'bundle-3', 'bundle-4'),
        expiresAt: seldom(instant),
        unsafeReuses: fc
          .array(fc.tuple(fc.constantFrom('bundle-1', 'bundle-3'), fc.constantFrom('content', 'absent')))
          .map((entries) => new Map(entries)),
        damaged: fc.constantFrom(false, false, true),
        artifactType: fc.constantFrom('zip', 'manifest'),
        status: fc.constantFrom('ready', 'ready', 'pending'),
        signed: fc.boolean(),
        checksum: fc.constantFrom(null, '0'.repeat(64)),
      })
      .map((values) => ({ ...BUNDLE, ...values })),
  });
  const anyChannel = (name: string) =>
    fc.record<ReleaseChannel>({
      id: fc.constant(`${name}-id`),
      name: fc.constant(name),
      pausedAt: seldom(instant),
      expiresAt: seldom(instant),
      protectedAt: seldom(instant),
      rollbackLimit: fc.constant(2),
      deployments: fc.uniqueArray(anyDeployment, { maxLength: 8, selector: ({ sequence }) => sequence }),
      retiredBundles: fc.constant(new Map()),
    });
  const anyTable = fc.record<ReleaseTable>({
    appId: fc.constant('app'),
    defaultChannelId: fc.constantFrom(null, 'Production-id', 'qa-id'),
    channels: fc.tuple(anyChannel('Production'), anyChannel('qa'), anyChannel('beta')),
    forcedChannelIds: fc
      .constantFrom(null, 'beta-id', 'deleted-id')
      .map((forced) => new Map(forced === null ? [] : [['device-1', forced]])),
    rollbacks: fc.constant(NO_ROLLBACKS),
    knownBundles: fc.constant(null),
  });
  const anyCheck = fc.record<UpdateCheck>({
    deviceId: fc.constantFrom(null, '', 'device-1', 'device-2'),
    channelName: fc.constantFrom(null, '', 'production', 'QA', 'unknown'),
    platform: fc.constantFrom('android', 'ios', 'electron'),
    appVersionCode: fc.oneof(version, fc.constant('')),
    pluginVersion: fc.constantFrom(...manifestPlugins.keys()),
    runtime: fc.constantFrom(null, 'cordova'),
    bundleId: fc.constantFrom(null, 'unknown', 'bundle-1', 'bundle-2', 'BUNDLE-3'),
  });

  /** The rules once more, by other means: versions by a table of ranks, no short cuts, no shared code. */
  function isAcceptable(candidate: ReleaseDeployment, of: ReleaseChannel, device: UpdateCheck): boolean {
    const { id, bundle, rolloutPercentage, constraints } = candidate;
    const ranks = device.platform === 'electron' ? semanticRanks : versionRanks;
    const own = ranks.get(device.appVersionCode) ?? NaN;
    const rank = (value: string) => ranks.get(value) ?? NaN;
    const { min, max, eq } = constraints[device.platform];
    const digest = createHash('sha256').update(`${id}:${device.deviceId}`).digest();
    const manifests =
      device.platform !== 'electron' &&
      (device.runtime === 'cordova' || manifestPlugins.get(device.pluginVersion) === true);
    return [
      bundle.status === 'ready',
      candidate.approvalStatus === 'approved',
      rolloutPercentage === 1 || (!!device.deviceId && digest.readUInt32BE() < rolloutPercentage * 2 ** 32),
      min === null || own >= rank(min),
      max === null || own <= rank(max),
      eq === null || (own !== rank(eq) && device.appVersionCode !== eq),
      of.protectedAt === null || bundle.signed,
      bundle.artifactType === 'zip' || manifests,
      !isWithheld(candidate, device),
    ].every(Boolean);
  }

  function isWithheld({ bundle }: ReleaseDeployment, device: UpdateCheck): boolean {
    const isExpired = bundle.expiresAt !== null && bundle.expiresAt <= NOW;
    const needsChecksum =
      device.platform === 'android' &&
      device.runtime !== 'cordova' &&
      ['6.8.0', '7.3.1'].includes(device.pluginVersion);
    const isUnverifiable =
      bundle.artifactType === 'zip' && bundle.checksum === null && !bundle.signed && needsChecksum;
    return (isExpired || bundle.damaged || isUnverifiable) && bundle.id !== runningOf(device);
  }

  const runningOf = ({ bundleId }: UpdateCheck) => bundleId?.toLowerCase() ?? null;

  const assertAlways = (holds: (app: ReleaseTable, device: UpdateCheck, decision: Decision) => void) =>
    fc.assert(
      fc.property(anyTable, anyCheck, (app, device) => holds(app, device, decide(app, device, clock))),
      { numRuns: 2_000 },
    );

  /** The last deployment of what a device runs; 0: there is none. */
  const lastOf = (chosen: ReleaseChannel | null, device: UpdateCheck): number =>
    Math.max(
      0,
      ...(chosen?.deployments ?? [])
        .filter(({ bundle }) => bundle.id === runningOf(device))
        .map(({ sequence }) => sequence),
    );

  it('never chooses anything unready, paused or expired', () => {
    assertAlways((_app, _device, { channel: chosen, deployment: offered }) => {
      if (offered === null) return;
      expect(offered.bundle.status).toBe('ready');
      expect(chosen?.pausedAt).toBeNull();
      expect(chosen?.expiresAt?.getTime() ?? Infinity).toBeGreaterThan(NOW.getTime());
    });
  });

  it('chooses only deployments of the chosen channel that satisfy every check', () => {
    assertAlways((_app, device, { channel: chosen, deployment: offered }) => {
      if (offered === null) return;
      expect(chosen!.deployments).toContain(offered);
      expect(isAcceptable(offered, chosen!, device)).toBe(true);
    });
  });

  it('passes over no newer deployment that satisfies every check', () => {
    assertAlways((_app, device, { channel: chosen, deployment: offered, reason }) => {
      if (!['served', 'no-acceptable-deployment', 'unsafe-reuse'].includes(reason)) return;
      const sorted = chosen!.deployments.toSorted((a, b) => b.sequence - a.sequence);
      const newest = sorted.filter((candidate) => isAcceptable(candidate, chosen!, device))[0];
      if (reason === 'unsafe-reuse') {
        expect(offered).toBeNull();
        expect(newest?.bundle.unsafeReuses.has(runningOf(device) ?? '')).toBe(true);
        return;
      }
      if (offered === null && newest !== undefined) {
        expect(sorted.slice(0, sorted.indexOf(newest)).some((each) => isWithheld(each, device))).toBe(true);
        expect(runningOf(device)).not.toBeNull();
      } else if (offered !== newest) {
        // The device keeps what it runs, although another deployment of that would be newer.
        expect(offered?.bundle.id ?? null).toBe(newest === undefined ? null : runningOf(device));
      }
    });
  });

  it('never offers an older bundle than the one that runs because a newer one is withheld', () => {
    assertAlways((app, device, { channel: chosen, deployment: offered }) => {
      const channels = app.channels.map((each) => ({
        ...each,
        deployments: each.deployments.map((deployment) => ({
          ...deployment,
          bundle: { ...deployment.bundle, expiresAt: null, damaged: false, checksum: '0'.repeat(64) },
        })),
      }));
      const otherwise = decide({ ...app, channels }, device, clock).deployment;
      const running = runningOf(device);
      if (offered === null || running === null || offered.bundle.id === running) return;
      if (offered.id === otherwise?.id) return;
      const ofRunning = chosen!.deployments.filter(({ bundle }) => bundle.id === running);
      expect(ofRunning).not.toEqual([]);
      expect(offered.sequence).toBeGreaterThan(Math.max(...ofRunning.map(({ sequence }) => sequence)));
    });
  });

  it('offers devices that run a deleted expired bundle only what is newer, and others the same as without it', () => {
    // No two deployments have the same sequence, so a retired one stands between two others.
    const anySequence = fc.nat(30).map((below) => below + 0.5);
    const anyRetired = fc.array(fc.tuple(fc.constantFrom('retired-1', 'retired-2', 'bundle-1'), anySequence));
    fc.assert(
      fc.property(
        anyTable,
        anyCheck,
        anyRetired,
        fc.constantFrom(null, 'RETIRED-1'),
        (app, device, retired, own) => {
          const running = { ...device, bundleId: own ?? device.bundleId ?? null };
          const channels = app.channels.map((each) => ({ ...each, retiredBundles: new Map(retired) }));
          const { deployment: offered, channel: chosen } = decide({ ...app, channels }, running, clock);
          const sequence = chosen?.retiredBundles.get(runningOf(running) ?? '');
          const plain = decide(app, running, clock).deployment;
          if (sequence === undefined) expect(offered?.id).toBe(plain?.id);
          else if (offered !== null && offered.bundle.id !== runningOf(running))
            expect(offered.sequence).toBeGreaterThan(sequence);
          if (
            sequence !== undefined &&
            plain !== null &&
            plain.sequence > Math.max(sequence, lastOf(chosen, running))
          )
            expect(offered?.id).toBe(plain.id);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('never offers a bundle that the device would build wrongly', () => {
    assertAlways((_app, device, { deployment: offered }) => {
      const running = runningOf(device);
      if (offered === null || running === null || offered.bundle.id === running) return;
      const kind = offered.bundle.unsafeReuses.get(running);
      const downloadsInstead =
        device.runtime === 'cordova' || ['8.4.3', '7.3.1'].includes(device.pluginVersion);
      expect(kind === undefined || (kind === 'absent' && downloadsInstead)).toBe(true);
    });
  });

  it('does not depend on the order of rows', () => {
    const shuffled = anyTable.chain((app) =>
      fc.record({
        app: fc.constant(app),
        channels: fc
          .tuple(
            ...app.channels.map((each) =>
              fc
                .shuffledSubarray([...each.deployments], { minLength: each.deployments.length })
                .map((deployments) => ({ ...each, deployments })),
            ),
          )
          .chain((channels) => fc.shuffledSubarray(channels, { minLength: channels.length })),
      }),
    );
    fc.assert(
      fc.property(shuffled, anyCheck, ({ app, channels }, device) => {
        const one = decide(app, device, clock);
        const other = decide({ ...app, channels }, device, clock);
        expect(other.reason).toBe(one.reason);
        expect(other.channel?.id).toBe(one.channel?.id);
        expect(other.deployment).toBe(one.deployment);
      }),
      { numRuns: 1_000 },
    );
  });

  it('decides the same while it explains, and the explanation survives JSON', () => {
    assertAlways((app, device, decision) => {
      const trace: TraceStep[] = [];
      expect({ ...decide(app, device, clock, trace), trace: [] }).toEqual(decision);
      expect(JSON.parse(JSON.stringify(trace))).toEqual(trace);
      expect(trace.at(-1)).toMatchObject({ step: 'result', outcome: decision.reason });
    });
  });
});
