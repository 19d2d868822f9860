import { IsInt, Max, Min } from 'class-validator';
import { Env } from '../env.decorator.js';

/** How long unused data is kept. */
export class RetentionConfig {
  /**
   * Days between the time when [retention](retention.md) first finds that nothing needs a bundle or a stored file,
   * and its deletion. With 0, it is deleted at once, even during a download.
   */
  @Env('DELETION_GRACE_DAYS')
  @IsInt()
  @Min(0)
  @Max(3650)
  graceDays: number = 7;

  /** Days for which an inactive device still counts: the bundle that it runs is kept. */
  @Env('ACTIVE_DEVICE_DAYS')
  @IsInt()
  @Min(1)
  @Max(3650)
  activeDeviceDays: number = 90;

  /** Days after which an inactive upload is deleted. */
  @Env('UPLOAD_RETENTION_DAYS')
  @IsInt()
  @Min(1)
  @Max(3650)
  uploadDays: number = 7;

  /** Days after which the [sources](builds.md#retention) of ended builds are deleted, unless the app has its own setting. */
  @Env('BUILD_SOURCE_RETENTION_DAYS')
  @IsInt()
  @Min(1)
  @Max(3650)
  buildSourceDays: number = 30;

  /** Days after which the [artifacts](builds.md#retention) of native builds are deleted, unless the app has its own setting. */
  @Env('BUILD_ARTIFACT_RETENTION_DAYS')
  @IsInt()
  @Min(1)
  @Max(3650)
  buildArtifactDays: number = 365;
}
