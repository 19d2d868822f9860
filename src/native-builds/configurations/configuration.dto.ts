import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import type { Configuration } from './configuration.entity.js';
import { ApiBuildNumber } from './version.decorators.js';
import { toConfiguredBuildNumber } from './version.js';

/** What builds overwrite in the native projects of an app. */
export class ConfigurationDto {
  @ApiId()
  id!: string;

  @ApiId()
  appId!: string;

  /** @example 'staging' */
  name!: string;

  /**
   * What the app is called on devices; `null`: as in the project.
   * @example 'Shop (staging)'
   */
  displayName!: string | null;

  /**
   * The Android application id or iOS bundle id; `null`: as in the project.
   * @example 'com.example.shop.staging'
   */
  packageName!: string | null;

  /**
   * The version as users see it; `null`: as in the project.
   * @example '1.4.0'
   */
  versionName!: string | null;

  /**
   * The Android version code or iOS build number; `ci`: the number of each build; `store`: one more than the store has;
   * `null`: as in the project.
   */
  @ApiBuildNumber()
  buildNumber!: number | 'ci' | 'store' | null;

  @ApiTime()
  createdAt!: string;

  /** Id of the user who created it; `null`: the user was deleted. */
  @ApiId()
  createdBy!: string | null;

  @ApiTime()
  updatedAt!: string;

  /** Id of the user who changed it last; `null`: the user was deleted. */
  @ApiId()
  updatedBy!: string | null;
}

/** The response for a native configuration. */
export function toConfigurationDto(configuration: Configuration): ConfigurationDto {
  return {
    id: configuration.id,
    appId: configuration.appId,
    name: configuration.name,
    displayName: configuration.displayName,
    packageName: configuration.packageName,
    versionName: configuration.versionName,
    buildNumber: toConfiguredBuildNumber(configuration.buildNumber),
    createdAt: configuration.createdAt.toISOString(),
    createdBy: configuration.createdByUserId,
    updatedAt: configuration.updatedAt.toISOString(),
    updatedBy: configuration.updatedByUserId,
  };
}
