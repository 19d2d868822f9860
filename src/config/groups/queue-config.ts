import { IsInt, Max, Min } from 'class-validator';
import { Env } from '../env.decorator.js';

/** Background jobs. */
export class QueueConfig {
  /**
   * Seconds between two polls for background work that another replica has sent, or that is due, such as a step of a
   * rollout plan.
   */
  @Env('QUEUE_POLL_SECONDS')
  @IsInt()
  @Min(1)
  @Max(60)
  pollSeconds: number = 5;

  /**
   * Seconds between two looks at the repository of an app with automations.
   */
  @Env('AUTOMATION_POLL_SECONDS')
  @IsInt()
  @Min(1)
  @Max(86_400)
  automationPollSeconds: number = 300;
}
