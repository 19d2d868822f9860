import { IsInt, Max, Min } from 'class-validator';
import { Env } from '../env.decorator.js';

/** Limits in calls a minute, for all replicas together. 0: no limit. */
export class RateLimitConfig {
  /**
   * Requests per minute of one API token or session, on all replicas together.
   *
   * @values 0 to 1000000; 0: no limit
   */
  @Env('RATE_LIMIT_TOKEN')
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  token: number = 6000;

  /**
   * Requests per minute without a valid token from one address, for IPv6 from one /64 network. Device requests are
   * not counted.
   *
   * @values 0 to 1000000; 0: no limit
   */
  @Env('RATE_LIMIT_ADDRESS')
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  address: number = 600;

  /**
   * Sign-in attempts per minute from one address. Programs that wait for a sign-in can poll 20 times as often.
   *
   * @values 0 to 1000000; 0: no limit
   */
  @Env('RATE_LIMIT_SIGN_IN')
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  signIn: number = 60;

  /**
   * Requests per minute of one runner, and of one job that a runner works on.
   *
   * @values 0 to 1000000; 0: no limit
   */
  @Env('RATE_LIMIT_RUNNER')
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  runner: number = 1200;
}
