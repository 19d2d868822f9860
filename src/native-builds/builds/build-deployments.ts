import type { BuildPlatform } from './build.entity.js';

/** The channels that a request names. Ids win over names. */
export interface NamedChannels {
  readonly ids: readonly string[];
  readonly names: readonly string[];
}

/** Where a build goes after success. */
export interface DeploymentTargets {
  readonly channelIds: readonly string[];
  /** In a store; `null`: none. */
  readonly destinationId: string | null;
}

/** A build that is to go to a store, before it is made. */
export interface SubmittedBuild {
  readonly platform: BuildPlatform;
  readonly releaseNotes: Readonly<Record<string, string>> | null;
}

/** What becomes of a build in one channel or destination that it was to go to. */
export interface PlannedDeployment {
  readonly buildId: string;
  /** `null`: it goes to a destination. */
  readonly channelId: string | null;
  /** `null`: it goes to a channel. */
  readonly destinationId: string | null;
  /** `waiting` until the job has succeeded. */
  readonly status: 'waiting' | 'deployed' | 'failed';
  /** Why it was not deployed; `null`: it was, or it waits. */
  readonly failure: string | null;
  readonly deploymentId: string | null;
}

/** One deployment of a build, whether a user made it later or it followed the build. */
export interface DeploymentOfBuild {
  readonly id: string;
  readonly buildId: string;
  /** `null`: it goes to a destination. */
  readonly channelId: string | null;
  readonly channelName: string | null;
  /** `null`: it goes to a channel. */
  readonly destinationId: string | null;
  readonly destinationName: string | null;
  /** 0 to 1. */
  readonly rolloutPercentage: number;
  readonly approvalStatus: 'approved' | 'pending' | 'rejected';
  /** A newer deployment to its channel goes to all devices. */
  readonly isSuperseded: boolean;
  readonly createdAt: Date;
  /** How many deployments its build has. */
  readonly total: number;
}

/**
 * Deployments to channels and stores that follow a successful build. Live updates provide it, because builds may not import
 * channels and destinations.
 */
export abstract class BuildDeployments {
  /** @returns the ids of the channels, each once @throws NotFoundError when the app has no such channel */
  abstract channelIds(appId: string, channels: NamedChannels): Promise<string[]>;

  /**
   * Whether a build of the app can go to a destination, as far as that is known before it is made.
   *
   * @throws NotFoundError when the app has no such destination
   * @throws InvalidRequestError when the destination is for another platform, is not complete, or does not take the notes
   */
  abstract requireDestination(appId: string, destinationId: string, build: SubmittedBuild): Promise<void>;

  /**
   * Whether automations may send builds to all of the targets. Those without `allowedRefs` take builds of every branch.
   *
   * @param allows whether the patterns of a target allow what is built
   * @returns why not, in a sentence that names the target; `null`: they may, or the target is gone
   */
  abstract findClosed(
    appId: string,
    targets: DeploymentTargets,
    allows: (patterns: readonly string[]) => boolean,
  ): Promise<string | null>;

  /** Remembers where a new build is to go. Call it in the transaction that creates the build. */
  abstract plan(appId: string, buildId: string, targets: DeploymentTargets): Promise<void>;

  /** Deploys what was planned soon after the running transaction, in which the build's job has succeeded. */
  abstract start(buildId: string, organizationId: string): Promise<void>;

  /** Ends what was planned as failed, in the running transaction: the build's job has ended without success. */
  abstract abandon(buildId: string): Promise<void>;

  /** What was planned for some builds. */
  abstract list(buildIds: readonly string[]): Promise<PlannedDeployment[]>;

  /** The newest deployments of some builds, newest first: one statement for any number. @param perBuild most of each build */
  abstract latest(buildIds: readonly string[], perBuild: number): Promise<DeploymentOfBuild[]>;
}
