import type { RollbackCounts } from './rollback-counts.js';

/**
 * The release table: everything that decides which bundle the devices of one app are offered, held in
 * memory so that a warm update check runs no SQL.
 *
 * A table and everything below it is immutable. A change of the app replaces the whole table, so values
 * derived from a table may be kept for as long as the table itself. The one exception is `rollbacks`, from which nothing
 * may be derived.
 */
export interface ReleaseTable {
  /** Id of the app (UUID). */
  readonly appId: string;
  /** Channel for devices that are neither forced nor ask for one; `null` when the app has no default. */
  readonly defaultChannelId: string | null;
  /** Every channel of the app, in any order. Names are unique ignoring case. */
  readonly channels: readonly ReleaseChannel[];
  /** Channels forced by an operator: device id (as sent by the device) to channel id. */
  readonly forcedChannelIds: ReadonlyMap<string, string>;
  /** How often devices have rolled bundles back. Changes in place. */
  readonly rollbacks: RollbackCounts;
  /**
   * Bundles that devices may run for the app to offer them a signed manifest, which they build from what they run: those that
   * it was compared with. `null`: the app offers it to all.
   */
  readonly knownBundles: ReadonlySet<string> | null;
}

/** A channel of the app and what was deployed to it. */
export interface ReleaseChannel {
  /** Id of the channel (UUID). */
  readonly id: string;
  /** Name as written by its owner; devices ask for it in any case. */
  readonly name: string;
  /** When delivery was stopped; any value pauses the channel, `null` means delivering. */
  readonly pausedAt: Date | null;
  /** From this instant on (inclusive) the channel serves nothing; `null` means never. */
  readonly expiresAt: Date | null;
  /** When protection was switched on; any value limits the channel to signed bundles, `null` means off. */
  readonly protectedAt: Date | null;
  /** Roll-backs of a bundle from which on a device is not offered it, 1 to 100; `null` means no limit. */
  readonly rollbackLimit: number | null;
  /** Deployments to the channel, in any order. */
  readonly deployments: readonly ReleaseDeployment[];
  /**
   * Bundles that expired and were deleted, with the `sequence` of their last deployment: devices that still run one must
   * not get something older. Mostly none.
   */
  readonly retiredBundles: ReadonlyMap<string, number>;
}

/** One bundle brought to one channel. */
export interface ReleaseDeployment {
  /** Id of the deployment (UUID). Part of the rollout bucket, so the buckets of a device differ between deployments. */
  readonly id: string;
  /** When it was deployed. */
  readonly createdAt: Date;
  /** Place in the order of deployments, unique; higher ones are newer and preferred. */
  readonly sequence: number;
  /** Whether it may be delivered; those that were rejected are in no table. */
  readonly approvalStatus: 'approved' | 'pending';
  /** Share of devices that may receive it, from 0 (none) to 1 (all). */
  readonly rolloutPercentage: number;
  /** Native versions that may receive it. */
  readonly constraints: VersionConstraints;
  /** What is delivered. */
  readonly bundle: ReleaseBundle;
}

/** Constraints on the native app version, one family for each platform. */
export interface VersionConstraints {
  /** Applies to `versionCode` of Android apps. */
  readonly android: VersionConstraint;
  /** Applies to `CFBundleVersion` of iOS apps. */
  readonly ios: VersionConstraint;
  /** Applies to the app version of Electron apps, usually a semantic version. */
  readonly electron: VersionConstraint;
}

/** Platforms that update checks come from. */
export type Platform = keyof VersionConstraints;

/** Constraint on the native version code of one platform; `null` means no constraint. */
export interface VersionConstraint {
  /** Lowest version that may receive the bundle (inclusive), such as `10` or `1.4.0`. */
  readonly min: string | null;
  /** Highest version that may receive the bundle (inclusive). */
  readonly max: string | null;
  /** Version that must not receive the bundle, because its binary already contains the same code. */
  readonly eq: string | null;
}

/** What devices that run certain bundles would do wrong with this one, by the id of the running bundle. */
export type UnsafeReuses = ReadonlyMap<string, 'content' | 'absent'>;

/** The zip that the server has generated of a manifest bundle. */
export interface GeneratedZip {
  /** SHA-256, 64 lower-case hex digits. */
  readonly checksum: string;
  /** Whether a device with this content coding downloads fewer bytes with it than with the single files. */
  readonly smallerThan: Readonly<Record<'br' | 'gzip', boolean>>;
}

/** The artifact of a web build, as far as the update check needs it. */
export interface ReleaseBundle {
  /** Id that devices know the bundle by (UUID). */
  readonly id: string;
  /** `zip`: one archive. `manifest`: single files, of which a device downloads only what it lacks. */
  readonly artifactType: 'zip' | 'manifest';
  /** `pending` until the artifact is complete and verified; registered bundles are `ready` from the start. */
  readonly status: 'pending' | 'ready';
  /** Whether every file that devices download carries a signature. */
  readonly signed: boolean;
  /** SHA-256 of the archive, 64 lower-case hex digits; `null` when unknown or for manifests. */
  readonly checksum: string | null;
  /** RSA signature of the archive, base64; `null` when unsigned or for manifests. */
  readonly signature: string | null;
  /** Absolute download URL of a registered bundle; `null` when Slipway stores the bundle itself. */
  readonly url: string | null;
  /** From this instant on (inclusive) only devices that run the bundle are offered it; `null` means never. */
  readonly expiresAt: Date | null;
  /** Running bundles from which a device would build this one wrongly; mostly none. */
  readonly unsafeReuses: UnsafeReuses;
  /** Whether stored bytes of it are known to be damaged: then only devices that run the bundle are offered it. */
  readonly damaged: boolean;
  /** Whether a file of a manifest bundle is empty, which some devices cannot download; `false` for zips. */
  readonly hasEmptyFiles: boolean;
  /** The zip that was generated of it, for devices that run no bundle; `null`: none, or it is damaged. */
  readonly generatedZip: GeneratedZip | null;
  /** Strings handed to the app together with the bundle; `null` when there are none. */
  readonly customProperties: Readonly<Record<string, string>> | null;
}

/**
 * About how many bytes of memory a table takes, with the responses that are prepared from it. Roll-backs that are counted
 * later are missing until the table is loaded again, which is soon.
 */
export function sizeOf({ channels, forcedChannelIds, rollbacks, knownBundles }: ReleaseTable): number {
  const deployments = channels.flatMap((channel) => channel.deployments);
  return (
    1000 +
    500 * channels.length +
    150 * forcedChannelIds.size +
    rollbacks.bytes +
    100 * (knownBundles?.size ?? 0) +
    deployments.reduce(
      (sum, { bundle }) => sum + 2000 + (bundle.generatedZip ? 3 : 2) * textLength(bundle),
      0,
    )
  );
}

/** Characters of what may be long. */
function textLength({ customProperties, url, signature, unsafeReuses, generatedZip }: ReleaseBundle): number {
  const properties = customProperties === null ? 0 : JSON.stringify(customProperties).length;
  return (
    properties +
    (url?.length ?? 0) +
    (signature?.length ?? 0) +
    100 * unsafeReuses.size +
    (generatedZip ? 300 : 0)
  );
}
