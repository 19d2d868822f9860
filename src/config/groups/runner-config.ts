import { IsBoolean, IsInt, Max, Min } from 'class-validator';
import { Env } from '../env.decorator.js';

/** Runners and the queue of jobs. */
export class RunnerConfig {
  /**
   * Whether the server runs a [runner of its own](runners.md#built-in), for all organizations. It needs the embedded database
   * and a machine with a sandbox.
   */
  @Env('RUNNER')
  @IsBoolean()
  builtIn: boolean = false;

  /**
   * Jobs of one organization that run at the same time, at most. `slipway jobs limit` sets another limit for one
   * organization or app.
   *
   * @values 0 to 100000; 0: as many as there are runners
   */
  @Env('RUNNING_JOBS_PER_ORGANIZATION')
  @IsInt()
  @Min(0)
  @Max(100_000)
  runningJobsPerOrganization: number = 0;

  /**
   * Whether labels that runners report themselves count, besides those of their registration. With `false`, only people
   * decide which runners get jobs with labels.
   */
  @Env('RUNNER_REPORTED_LABELS')
  @IsBoolean()
  reportedLabels: boolean = true;
}
