import { IsInt, Max, Min } from 'class-validator';
import { Env } from '../env.decorator.js';

/** Limits of organizations. */
export class OrganizationConfig {
  /**
   * Organizations that one user can own at the same time. The limit applies when a user creates one.
   *
   * @values 0 to 100000; 0: no limit
   */
  @Env('MAX_ORGANIZATIONS_PER_USER')
  @IsInt()
  @Min(0)
  @Max(100_000)
  maxPerUser: number = 100;

  /**
   * Invitations that one user can send in a day (UTC), in all organizations together.
   *
   * @values 0 to 100000; 0: no limit
   */
  @Env('MAX_INVITATIONS_PER_USER_AND_DAY')
  @IsInt()
  @Min(0)
  @Max(100_000)
  maxInvitationsPerUserAndDay: number = 100;
}
