import { IsInt, Max, Min } from 'class-validator';
import { Env } from '../env.decorator.js';

function IsLimit(): PropertyDecorator {
  return (prototype, property) => {
    for (const decorate of [IsInt(), Min(0), Max(1_000_000)]) decorate(prototype, property);
  };
}

/**
 * How many objects of a kind there can be. A limit applies when one is created or comes from elsewhere; what exceeds a
 * lowered limit stays.
 */
export class LimitConfig {
  /**
   * Apps of one organization, with those that are transferred to it.
   *
   * @values 0 to 1000000; 0: no limit
   */
  @Env('MAX_APPS_PER_ORGANIZATION')
  @IsLimit()
  appsPerOrganization: number = 1000;

  /**
   * Channels of one app.
   *
   * @values 0 to 1000000; 0: no limit
   */
  @Env('MAX_CHANNELS_PER_APP')
  @IsLimit()
  channelsPerApp: number = 1000;

  /**
   * Environments of one app.
   *
   * @values 0 to 1000000; 0: no limit
   */
  @Env('MAX_ENVIRONMENTS_PER_APP')
  @IsLimit()
  environmentsPerApp: number = 100;

  /**
   * Automations of one app.
   *
   * @values 0 to 1000000; 0: no limit
   */
  @Env('MAX_AUTOMATIONS_PER_APP')
  @IsLimit()
  automationsPerApp: number = 50;

  /**
   * Configurations of one app.
   *
   * @values 0 to 1000000; 0: no limit
   */
  @Env('MAX_CONFIGURATIONS_PER_APP')
  @IsLimit()
  configurationsPerApp: number = 100;

  /**
   * Shares of one build, with expired ones.
   *
   * @values 0 to 1000000; 0: no limit
   */
  @Env('MAX_SHARES_PER_BUILD')
  @IsLimit()
  sharesPerBuild: number = 20;

  /**
   * Certificates of one app.
   *
   * @values 0 to 1000000; 0: no limit
   */
  @Env('MAX_CERTIFICATES_PER_APP')
  @IsLimit()
  certificatesPerApp: number = 200;

  /**
   * Provisioning profiles of one app.
   *
   * @values 0 to 1000000; 0: no limit
   */
  @Env('MAX_PROVISIONING_PROFILES_PER_APP')
  @IsLimit()
  provisioningProfilesPerApp: number = 500;

  /**
   * Destinations of one app.
   *
   * @values 0 to 1000000; 0: no limit
   */
  @Env('MAX_DESTINATIONS_PER_APP')
  @IsLimit()
  destinationsPerApp: number = 100;

  /**
   * Files of one app that sign in to stores.
   *
   * @values 0 to 1000000; 0: no limit
   */
  @Env('MAX_STORE_KEYS_PER_APP')
  @IsLimit()
  storeKeysPerApp: number = 50;

  /**
   * Submissions of one app that have not ended.
   *
   * @values 0 to 1000000; 0: no limit
   */
  @Env('MAX_OPEN_SUBMISSIONS_PER_APP')
  @IsLimit()
  openSubmissionsPerApp: number = 100;

  /**
   * Runners that one organization has registered. The operator can register any number of them.
   *
   * @values 0 to 1000000; 0: no limit
   */
  @Env('MAX_RUNNERS_PER_ORGANIZATION')
  @IsLimit()
  runnersPerOrganization: number = 200;

  /**
   * Webhooks of one app.
   *
   * @values 0 to 1000000; 0: no limit
   */
  @Env('MAX_WEBHOOKS_PER_APP')
  @IsLimit()
  webhooksPerApp: number = 50;

  /**
   * Webhooks of one organization, without those of its apps.
   *
   * @values 0 to 1000000; 0: no limit
   */
  @Env('MAX_WEBHOOKS_PER_ORGANIZATION')
  @IsLimit()
  webhooksPerOrganization: number = 100;

  /**
   * Git connections of one organization.
   *
   * @values 0 to 1000000; 0: no limit
   */
  @Env('MAX_GIT_CONNECTIONS_PER_ORGANIZATION')
  @IsLimit()
  gitConnectionsPerOrganization: number = 50;

  /**
   * Invitations of one organization that can still be accepted.
   *
   * @values 0 to 1000000; 0: no limit
   */
  @Env('MAX_PENDING_INVITATIONS_PER_ORGANIZATION')
  @IsLimit()
  pendingInvitationsPerOrganization: number = 200;

  /**
   * Teams of one organization.
   *
   * @values 0 to 1000000; 0: no limit
   */
  @Env('MAX_TEAMS_PER_ORGANIZATION')
  @IsLimit()
  teamsPerOrganization: number = 200;

  /**
   * API tokens of one user, with expired ones.
   *
   * @values 0 to 1000000; 0: no limit
   */
  @Env('MAX_TOKENS_PER_USER')
  @IsLimit()
  tokensPerUser: number = 100;

  /**
   * Builds of one organization that wait for a runner or for their source.
   *
   * @values 0 to 1000000; 0: no limit
   */
  @Env('MAX_QUEUED_BUILDS_PER_ORGANIZATION')
  @IsLimit()
  queuedBuildsPerOrganization: number = 500;
}
