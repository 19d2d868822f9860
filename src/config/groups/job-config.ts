import { IsInt, Max, Min } from 'class-validator';
import { Env } from '../env.decorator.js';

/** Jobs, and what runners may send. */
export class JobConfig {
  /**
   * Seconds after which a job goes back to the queue when its runner does not report. Runners report six times as often.
   * A replica that starts, or that the database was away for, waits as long before it looks for lost jobs.
   */
  @Env('JOB_LEASE_SECONDS')
  @IsInt()
  @Min(3)
  @Max(600)
  leaseSeconds: number = 60;

  /** Seconds without a line in the log after which a job is ended as `timed_out`. */
  @Env('JOB_IDLE_SECONDS')
  @IsInt()
  @Min(5)
  @Max(21_600)
  idleSeconds: number = 1200;

  /** Seconds that one attempt of a new job may run; then it is ended as `timed_out`. */
  @Env('JOB_TIMEOUT_SECONDS')
  @IsInt()
  @Min(60)
  @Max(21_600)
  timeoutSeconds: number = 3600;

  /**
   * Minutes in the queue after which a job is rejected that no registered runner can do. Runners that are paused or not in
   * contact count as registered.
   */
  @Env('JOB_UNMATCHED_MINUTES')
  @IsInt()
  @Min(1)
  @Max(1440)
  unmatchedMinutes: number = 5;

  /** Largest log of a job, in bytes of text. What comes after is not kept, and the last line says so. */
  @Env('JOB_LOG_BYTES')
  @IsInt()
  @Min(10_000)
  @Max(64_000_000)
  logBytes: number = 4_000_000;

  /** Memory of one process for logs that are being read, in bytes. */
  @Env('JOB_LOG_CACHE_BYTES')
  @IsInt()
  @Min(1_000_000)
  @Max(4_000_000_000)
  logCacheBytes: number = 64_000_000;

  /**
   * Days after the end of a job when its log is deleted, for apps without `jobLogRetentionDays`.
   *
   * @values 0 to 3650; 0: logs are kept
   */
  @Env('JOB_LOG_RETENTION_DAYS')
  @IsInt()
  @Min(0)
  @Max(3650)
  logRetentionDays: number = 365;
}
