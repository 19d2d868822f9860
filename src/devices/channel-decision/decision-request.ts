import { compareRead, readVersion, type ReadVersion } from '../../common/compare-versions.js';
import { lastSequenceOf } from '../releases/release-index.js';
import type { Platform, ReleaseChannel, ReleaseTable } from '../releases/release-table.js';
import type { RollbackCounts } from '../releases/rollback-counts.js';
import type { UpdateCheck } from './decision.js';

/** First Capacitor plugin that reads manifests. */
export const FIRST_VERSION_WITH_MANIFESTS = '6.5.0';

/** First Capacitor plugin that downloads a file that it cannot copy, and on iOS again an empty one. */
export const FIRST_VERSION_WITH_EMPTY_FILES = '7.2.2';
const FIRST_WITHOUT_EMPTY_FILES = readVersion('6.6.0', 'electron');
const FIRST_WITH_FALLBACK = readVersion(FIRST_VERSION_WITH_EMPTY_FILES, 'electron');
const FIRST_WITH_MANIFESTS = readVersion(FIRST_VERSION_WITH_MANIFESTS, 'electron');

/** First Capacitor plugin that, with all later ones, installs a zip without a checksum on Android. */
export const FIRST_VERSION_WITHOUT_CHECKSUM = '7.4.0';
/** Versions that do not: each from the first until before the second. */
const VERSIONS_WITH_CHECKSUM = [
  [readVersion('6.7.0', 'electron'), readVersion('7.0.0', 'electron')],
  [readVersion('7.1.0', 'electron'), readVersion(FIRST_VERSION_WITHOUT_CHECKSUM, 'electron')],
] as const;

/**
 * What a device reports, in the form in which deployments are checked: empty values are `null`. What is derived from it is
 * found once, when the first deployment needs it.
 */
export class DecisionRequest implements Required<UpdateCheck> {
  readonly deviceId: string | null;
  readonly channelName: string | null;
  readonly platform: Platform;
  readonly appVersionCode: string;
  readonly pluginVersion: string;
  readonly runtime: string | null;
  readonly bundleId: string | null;
  /** How often devices of the app have rolled bundles back. */
  readonly rollbacks: RollbackCounts;
  /** See `ReleaseTable`. */
  readonly knownBundles: ReadonlySet<string> | null;
  /** Whether a newer deployment is kept from the device for its own good, or was when it was deleted. */
  isProtected = false;
  private readonly clock: () => Date;
  private time: Date | null = null;
  private version: ReadVersion | null = null;
  private manifests: boolean | null = null;
  private checksums: boolean | null = null;
  private place: number | null = null;

  constructor({ rollbacks, knownBundles }: ReleaseTable, check: UpdateCheck, clock: () => Date) {
    this.deviceId = check.deviceId || null;
    this.channelName = check.channelName?.trim() || null;
    this.platform = check.platform;
    this.appVersionCode = check.appVersionCode;
    this.pluginVersion = check.pluginVersion;
    this.runtime = check.runtime || null;
    this.bundleId = check.bundleId?.toLowerCase() || null;
    this.rollbacks = rollbacks;
    this.knownBundles = knownBundles;
    this.clock = clock;
  }

  /** The instant of the check. */
  get now(): Date {
    return (this.time ??= this.clock());
  }

  get nativeVersion(): ReadVersion {
    return (this.version ??= readVersion(this.appVersionCode, this.platform));
  }

  /**
   * The Electron client reads archives only, Capacitor plugins learned manifests in 6.5.0. The Cordova plugin has always
   * read them and counts its own versions from 0.1.0. Versions that cannot be read are taken for modern ones.
   */
  get readsManifests(): boolean {
    return (this.manifests ??=
      this.platform !== 'electron' &&
      (this.runtime === 'cordova' ||
        (compareRead(readVersion(this.pluginVersion, 'electron'), FIRST_WITH_MANIFESTS) ?? 0) >= 0));
  }

  /** Found each time: few bundles have empty files, and few devices are older ones on iOS. */
  get downloadsEmptyFiles(): boolean {
    return downloadsEmptyFiles(this);
  }

  /** Found once: all bundles of an app may be registered without one. */
  get installsWithoutChecksum(): boolean {
    return (this.checksums ??= installsWithoutChecksum(this));
  }

  /** The plugin of Cordova always did. A version that cannot be read may be older. */
  get downloadsWhatItCannotCopy(): boolean {
    return (
      this.runtime === 'cordova' ||
      (compareRead(readVersion(this.pluginVersion, 'electron'), FIRST_WITH_FALLBACK) ?? -1) >= 0
    );
  }

  /**
   * The place of the bundle that runs in the order of deployments to the channel: the `sequence` of the last one. A bundle
   * that the channel never had may be newer than all others: infinite.
   */
  placeOfRunning(channel: ReleaseChannel): number {
    return (this.place ??= lastSequenceOf(channel, this.bundleId ?? '') ?? Infinity);
  }
}

/**
 * Whether the client of a device can download an empty file. The Capacitor plugin on iOS fails from 6.6.0 until before 7.2.2.
 * Versions that cannot be read are taken for modern ones.
 */
export function downloadsEmptyFiles({
  platform,
  runtime,
  pluginVersion,
}: Pick<UpdateCheck, 'platform' | 'runtime' | 'pluginVersion'>): boolean {
  if (platform !== 'ios' || runtime) return true;
  const version = readVersion(pluginVersion, 'electron');
  return (
    (compareRead(version, FIRST_WITHOUT_EMPTY_FILES) ?? -1) < 0 ||
    (compareRead(version, FIRST_WITH_FALLBACK) ?? 0) >= 0
  );
}

/**
 * Whether the client of a device installs a zip although the response to the update check has no checksum. The Capacitor
 * plugin on Android compares it with an empty text in these versions, unless the app has a public key: from 6.7.0 until before
 * 7.0.0, and from 7.1.0 until before 7.4.0. Versions that cannot be read are taken for modern ones.
 */
function installsWithoutChecksum({
  platform,
  runtime,
  pluginVersion,
}: Pick<UpdateCheck, 'platform' | 'runtime' | 'pluginVersion'>): boolean {
  if (platform !== 'android' || runtime) return true;
  const version = readVersion(pluginVersion, 'electron');
  return !VERSIONS_WITH_CHECKSUM.some(
    ([first, next]) => (compareRead(version, first) ?? -1) >= 0 && (compareRead(version, next) ?? 0) < 0,
  );
}
