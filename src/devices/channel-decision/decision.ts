import type { Platform, ReleaseChannel, ReleaseDeployment } from '../releases/release-table.js';

/**
 * Represents every running bundle whose id is not a UUID, because another server made it: no app has a bundle with this
 * id.
 */
export const UNKNOWN_BUNDLE_ID = '00000000-0000-0000-0000-000000000000';

/** What a device reports when it checks for an update. */
export interface UpdateCheck {
  /** Id of the device; null or empty when the device has none. */
  readonly deviceId: string | null;
  /** Channel that the device requests, in any case; null or blank for the app's default channel. */
  readonly channelName: string | null;
  /** Platform, which selects the family of version constraints. */
  readonly platform: Platform;
  /** Native version: build number on Android and iOS, usually a semantic version on Electron; may be empty. */
  readonly appVersionCode: string;
  /** Version of the live-update plugin; may be empty. */
  readonly pluginVersion: string;
  /** Runtime around the plugin, such as `cordova`; absent or null means Capacitor. */
  readonly runtime?: string | null;
  /** The bundle that runs now (UUID); absent or null means the one that came with the app. */
  readonly bundleId?: string | null;
}

export const decisionReasons = [
  'served',
  'no-default-channel',
  'channel-not-found',
  'channel-paused',
  'channel-expired',
  'no-acceptable-deployment',
  'unsafe-reuse',
] as const;
/** The reason for a decision; only `served` comes with a deployment. */
export type DecisionReason = (typeof decisionReasons)[number];

/** The decision about an update check. */
export interface Decision {
  /** Channel that was selected, also when it serves nothing; null when no channel was. */
  readonly channel: ReleaseChannel | null;
  /** Deployment to serve; null when there is no update for the device. */
  readonly deployment: ReleaseDeployment | null;
  /** Why. */
  readonly reason: DecisionReason;
  /** The steps in order when they were collected, otherwise empty. */
  readonly trace: readonly TraceStep[];
}

/** Receives the steps of a decision, in order. */
export type TraceCollector = TraceStep[];

/** One step of a decision. Values are plain JSON; instants are ISO 8601 strings in UTC. */
export type TraceStep = RequestStep | ChannelRuleStep | ChannelStateStep | DeploymentStep | ResultStep;

/** The values that the decision works with: empty ones are null, the channel name is trimmed. */
export interface RequestStep extends Required<UpdateCheck> {
  readonly step: 'request';
}

/** One rule of channel selection. Rules are tried in the order of the type until one ends the selection. */
export interface ChannelRuleStep {
  readonly step: 'channel-rule';
  readonly rule: 'forced' | 'requested' | 'default';
  /** `not-set`: the rule does not apply. `not-found`: it names a channel that the app does not have. */
  readonly outcome: 'selected' | 'not-set' | 'not-found';
  /** What the rule looked for: a channel name for `requested`, a channel id otherwise; null when not set. */
  readonly value: string | null;
  /** Id of the selected channel, otherwise null. */
  readonly channelId: string | null;
}

/** Whether the selected channel delivers at all. */
export interface ChannelStateStep {
  readonly step: 'channel-state';
  readonly outcome: 'delivering' | 'paused' | 'expired';
  readonly channelId: string;
  readonly pausedAt: string | null;
  readonly expiresAt: string | null;
  /** Instant that the expiry was compared with. */
  readonly now: string;
}

/** One deployment that was looked at, newest first, with all its checks. */
export interface DeploymentStep {
  readonly step: 'deployment';
  /** `accepted` when every check passed; the first accepted deployment is served. */
  readonly outcome: 'accepted' | 'rejected';
  readonly deploymentId: string;
  readonly bundleId: string;
  readonly createdAt: string;
  readonly checks: readonly DeploymentCheck[];
}

/** The names of all checks, in the order in which they are made. */
export const checkNames = [
  'ready',
  'approved',
  'rollout',
  'min',
  'max',
  'eq',
  'protection',
  'type-support',
  'expiry',
  'damage',
  'empty-files',
  'missing-checksum',
  'rollback',
  'downgrade',
  'reuse',
] as const;
export type CheckName = (typeof checkNames)[number];

/** One check of a deployment and the two values that it compared. */
export interface DeploymentCheck {
  readonly check: CheckName;
  readonly passed: boolean;
  /**
   * What the deployment or its channel requires: the status, `approved`, the rollout percentage (0 to 1), the lowest,
   * highest or excluded version, `signed`, `intact`, the only artifact type that the device reads, `checksum`, the
   * roll-backs from which on the bundle is withheld, the bundle that it may keep, or `known`: a running bundle that Slipway
   * knows. Null when nothing is required.
   */
  readonly required: string | number | null;
  /**
   * What was found: the status, `approved` or `pending`, the bucket of the device (0 to 1, null without a device id), the native
   * version, `signed` or `unsigned`, the artifact type, when the bundle expires, `intact` or `damaged`, `checksum`, how
   * often the device has rolled it back, or the bundle that runs.
   */
  readonly actual: string | number | null;
}

/** The end of the decision. */
export interface ResultStep {
  readonly step: 'result';
  readonly outcome: DecisionReason;
  readonly channelId: string | null;
  readonly deploymentId: string | null;
}
