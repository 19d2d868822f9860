import type { NativeMaxima } from '../native-maxima.js';
import type { Warning } from './warning.js';

const PLATFORMS = ['Android', 'Ios', 'Electron'] as const;
const BOUNDS = ['min', 'max', 'eq'] as const;

/** The fields of builds that limit the native versions which get them. */
export const versionFields = PLATFORMS.flatMap((platform) =>
  BOUNDS.map((bound) => `${bound}${platform}AppVersionCode` as const),
);
export type VersionField = (typeof versionFields)[number];

/** Version constraints of a request. An absent field stays as it is, `null` clears it. */
export type VersionFields = { readonly [Field in VersionField]?: string | null | undefined };

/** A change that is about to be made. */
export type PlannedChange =
  /** A bundle is changed, and published with `isReady`. @property share 0 to 1; `null`: the one of the bundle */
  | {
      readonly kind: 'publish';
      readonly bundleId: string;
      readonly isReady: boolean;
      readonly versions: VersionFields;
      readonly share: number | null;
    }
  /** A bundle is registered. @property channelName `null`: the default channel @property share 0 to 1 */
  | {
      readonly kind: 'register';
      readonly channelName: string | null;
      readonly versions: VersionFields;
      readonly share: number;
    }
  /** A build goes to a channel. An id wins over a name. @property share 0 to 1 @property maxima of the deployment itself */
  | {
      readonly kind: 'deploy';
      readonly buildId: string;
      readonly channelId: string | null;
      readonly channelName: string | null;
      readonly share: number;
      readonly maxima: NativeMaxima;
    }
  /** A native build goes to users of a store. */
  | { readonly kind: 'submit'; readonly buildId: string }
  /** Another share of devices, 0 to 1, for a deployment of a build. */
  | {
      readonly kind: 'share';
      readonly deploymentId: string;
      readonly buildId: string;
      readonly share: number;
    }
  /** The rollout plan of a deployment starts. */
  | { readonly kind: 'start-plan'; readonly deploymentId: string }
  /** Other native versions may get a build. */
  | { readonly kind: 'versions'; readonly buildId: string; readonly versions: VersionFields }
  /** A device is forced to a channel. @property channelId `null`: it is no longer forced */
  | { readonly kind: 'force'; readonly deviceId: string; readonly channelId: string | null }
  /** Other settings for a channel; absent ones stay as they are. */
  | {
      readonly kind: 'channel';
      readonly channelId: string;
      readonly changes: {
        readonly name?: string;
        readonly protected?: boolean;
        readonly expiresAt?: Date | null;
        readonly rollbackLimit?: number | null;
      };
    };

/**
 * Finds out what a change means for devices, rollout plans and approvals. Provided by the area `devices`, because what
 * devices get is decided there.
 */
export abstract class Consequences {
  /**
   * Call it before the transaction of the change, as in the first phase of `@TwoPhases()`. Takes no longer than
   * `WARNINGS_MAX_MILLISECONDS`, and never throws: what could not be found out is a warning, too.
   */
  abstract of(
    app: { readonly id: string; readonly organizationId: string },
    change: PlannedChange,
  ): Promise<Warning[]>;
}
