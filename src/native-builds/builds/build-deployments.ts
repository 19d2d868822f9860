/** The channels that a request names. Ids win over names. */
export interface NamedChannels {
  readonly ids: readonly string[];
  readonly names: readonly string[];
}

/** What becomes of a build in one channel that it was to go to. */
export interface PlannedDeployment {
  readonly buildId: string;
  readonly channelId: string;
  /** `waiting` until the job has succeeded. */
  readonly status: 'waiting' | 'deployed' | 'failed';
  /** Why it was not deployed; `null`: it was, or it waits. */
  readonly failure: string | null;
  readonly deploymentId: string | null;
}

/**
 * Deployments to channels that follow a successful build. Live updates provide it, because builds may not import
 * channels.
 */
export abstract class BuildDeployments {
  /** @returns the ids of the channels, each once @throws NotFoundError when the app has no such channel */
  abstract channelIds(appId: string, channels: NamedChannels): Promise<string[]>;

  /** Remembers where a new build is to go. Call it in the transaction that creates the build. */
  abstract plan(appId: string, buildId: string, channelIds: readonly string[]): Promise<void>;

  /** Deploys what was planned soon after the running transaction, in which the build's job has succeeded. */
  abstract start(buildId: string, organizationId: string): Promise<void>;

  /** Ends what was planned as failed, in the running transaction: the build's job has ended without success. */
  abstract abandon(buildId: string): Promise<void>;

  /** What was planned for some builds. */
  abstract list(buildIds: readonly string[]): Promise<PlannedDeployment[]>;
}
