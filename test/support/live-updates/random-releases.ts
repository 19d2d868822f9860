import fc from 'fast-check';
import type { DeviceCheck } from '../../../src/devices/channel-decision/device-decision.js';
import type {
  ReleaseChannel,
  ReleaseDeployment,
  ReleaseTable,
} from '../../../src/devices/releases/release-table.js';
import { RollbackCounts, rollbackHash } from '../../../src/devices/releases/rollback-counts.js';

/** The instant that random releases are about: some things are before it, some at it, some after it. */
export const NOW = new Date('2026-05-01T12:00:00.000Z');

/** The clock of decisions: it is always `NOW`. */
export const clock = (): Date => NOW;

const instant = fc.constantFrom(-1, 0, 1).map((offset) => new Date(NOW.getTime() + offset));
const version = fc.constantFrom('1', '1.0', '2', '10', '1..2', '-1', '2.0.0-rc.1', '', '9'.repeat(300));
const seldom = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });
const constraint = fc.record({ min: seldom(version), max: seldom(version), eq: seldom(version) });

/** Few, so that devices run what was deployed. */
const bundleId = fc.constantFrom('bundle-1', 'bundle-2', 'bundle-3', 'bundle-4');

/** Any deployment. */
export const anyDeployment = fc.record<ReleaseDeployment>({
  id: fc.uuid(),
  createdAt: instant,
  sequence: fc.nat(),
  approvalStatus: fc.constantFrom('approved', 'approved', 'approved', 'pending'),
  rolloutPercentage: fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true })),
  constraints: fc.record({ android: constraint, ios: constraint, electron: constraint }),
  bundle: fc
    .record({
      id: bundleId,
      artifactType: fc.constantFrom('zip', 'zip', 'manifest'),
      status: fc.constantFrom('ready', 'ready', 'ready', 'pending'),
      signed: fc.boolean(),
      checksum: fc.constantFrom(null, 'a'.repeat(64)),
      signature: fc.constant(null),
      url: fc.constant(null),
      expiresAt: seldom(instant),
      unsafeReuses: fc
        .array(fc.tuple(bundleId, fc.constantFrom('content', 'absent')), { maxLength: 2 })
        .map((entries) => new Map(entries)),
      damaged: fc.constantFrom(false, false, false, true),
      hasEmptyFiles: fc.constantFrom(false, false, true),
      generatedZip: fc.constantFrom(null, {
        checksum: 'a'.repeat(64),
        smallerThan: { br: false, gzip: true },
      }),
      customProperties: fc.constant(null),
    })
    .map((bundle) => ({
      ...bundle,
      checksum: bundle.artifactType === 'zip' ? bundle.checksum : null,
      hasEmptyFiles: bundle.hasEmptyFiles && bundle.artifactType === 'manifest',
    })),
});

const anyChannel = (name: string) =>
  fc.record<ReleaseChannel>({
    id: fc.constant(`${name}-id`),
    name: fc.constant(name),
    pausedAt: seldom(instant),
    expiresAt: seldom(instant),
    protectedAt: seldom(instant),
    rollbackLimit: seldom(fc.constantFrom(1, 2, 100)),
    deployments: fc.uniqueArray(anyDeployment, { maxLength: 6, selector: ({ id }) => id }),
    retiredBundles: fc
      .array(fc.tuple(fc.constantFrom('bundle-1', 'retired'), fc.nat()), { maxLength: 2 })
      .map((retired) => new Map(retired)),
  });

/** Devices that random tables may force to a channel. */
export const deviceIds = ['device-1', 'device-2', 'device-3', 'device-4', 'device-5'];

/** Any releases of one app, with the channels `Production`, `qa` and `a+b`, and any roll-backs of those devices. */
export const anyTable = fc.record<ReleaseTable>({
  appId: fc.constant('app'),
  defaultChannelId: fc.constantFrom(null, 'Production-id', 'Production-id', 'qa-id'),
  channels: fc.tuple(anyChannel('Production'), anyChannel('qa'), anyChannel('a+b')),
  forcedChannelIds: fc
    .array(fc.tuple(fc.constantFrom(...deviceIds), fc.constantFrom('qa-id', 'Production-id')))
    .map((entries) => new Map(entries)),
  knownBundles: fc.constantFrom(null, new Set<string>(), new Set(['bundle-1', 'bundle-2', 'retired'])),
  rollbacks: fc
    .array(fc.tuple(fc.constantFrom(...deviceIds), bundleId, version, fc.nat(3), fc.nat(6)))
    .map((counts) => {
      const rollbacks = new RollbackCounts();
      for (const [device, bundle, appVersionCode, consecutive, before] of counts)
        rollbacks.set(rollbackHash(device, bundle, appVersionCode), {
          consecutive,
          all: consecutive + before,
        });
      return rollbacks;
    }),
});

/** Whatever a device may say. */
export const anyCheck = fc.record<DeviceCheck>({
  deviceId: fc.constantFrom(null, ...deviceIds),
  channelNames: fc.constantFrom<readonly string[]>([], [], ['PRODUCTION'], ['qa'], ['a b', 'a+b'], ['typo']),
  platform: fc.constantFrom('android', 'ios', 'electron'),
  appVersionCode: version,
  pluginVersion: fc.constantFrom('8.4.3', '7.2.1', '6.8.0', '6.6.0', '6.5.0', '6.4.9', ''),
  runtime: fc.constantFrom(null, null, 'cordova'),
  bundleId: fc.oneof(fc.constantFrom(null, 'unknown', 'retired'), bundleId),
});
