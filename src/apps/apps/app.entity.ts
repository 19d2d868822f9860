import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnumColumn } from '../../database/schema/columns.js';
import { VersionedRow } from '../../database/schema/versioned-row.entity.js';
import { Organization } from '../../organizations/organizations/organization.entity.js';

export const appTypes = ['android', 'capacitor', 'cordova', 'ios'] as const;
export type AppType = (typeof appTypes)[number];

/** Machine images that builds can ask for. */
export const buildStacks = ['macos-sequoia', 'macos-tahoe'] as const;
export type BuildStack = (typeof buildStacks)[number];
/** What builds ask for unless the request or the app says otherwise. */
export const DEFAULT_BUILD_STACK: BuildStack = 'macos-tahoe';

/** PostgreSQL's `integer` ends here. */
export const MAX_BUILD_NUMBER = 2_147_483_647;

/** Ten years. */
export const MAX_DEVICE_RETENTION_DAYS = 3650;

/** Ten years. */
export const MAX_BUILD_RETENTION_DAYS = 3650;

/** Bundles that retention keeps of each channel, at most. */
export const MAX_BUNDLE_RETENTION_COUNT = 1000;

/** Ten years. */
export const MAX_JOB_LOG_RETENTION_DAYS = 3650;

/** Labels that the runners of an app's builds must have, at most. */
export const MAX_RUNNER_LABELS = 16;

export const APPS_NEXT_BUILD_NUMBER_CHECK = 'apps_next_build_number_check';
export const APPS_ORGANIZATION_FKEY = 'apps_organization_id_fkey';

/** A mobile app: the parent of channels, bundles, builds and devices. */
@Entity('apps')
@Index(['organizationId', 'name'])
@Check('apps_device_retention_days_check', `device_retention_days BETWEEN 1 AND ${MAX_DEVICE_RETENTION_DAYS}`)
@Check(
  'apps_bundle_retention_count_check',
  `bundle_retention_count BETWEEN 1 AND ${MAX_BUNDLE_RETENTION_COUNT}`,
)
@Check(
  'apps_job_log_retention_days_check',
  `job_log_retention_days BETWEEN 1 AND ${MAX_JOB_LOG_RETENTION_DAYS}`,
)
@Check(
  'apps_build_source_retention_days_check',
  `build_source_retention_days BETWEEN 1 AND ${MAX_BUILD_RETENTION_DAYS}`,
)
@Check(
  'apps_build_artifact_retention_days_check',
  `build_artifact_retention_days BETWEEN 1 AND ${MAX_BUILD_RETENTION_DAYS}`,
)
@Check('apps_runner_labels_check', `cardinality(runner_labels) <= ${MAX_RUNNER_LABELS}`)
@Check(APPS_NEXT_BUILD_NUMBER_CHECK, `next_build_number > last_build_number`)
export class App extends VersionedRow {
  @Column('uuid')
  @ForeignKey(() => Organization, { onDelete: 'CASCADE', name: APPS_ORGANIZATION_FKEY })
  organizationId!: string;

  @Column('text')
  name!: string;

  @EnumColumn(appTypes)
  type!: AppType;

  /**
   * The channel of devices that ask for none. Named by its entity because channels live further down and this
   * file may not import them.
   */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey('Channel', { onDelete: 'SET NULL' })
  defaultChannelId!: string | null;

  /** Whether devices may list the app's channels without a token. */
  @Column('boolean', { default: false })
  channelDiscoveryEnabled!: boolean;

  /** RSA public keys (PEM). When there are any, each signature of a bundle must be verified by one of them. */
  @Column('text', { array: true, default: () => "'{}'" })
  publicKeys!: string[];

  /** Whether the server stores custom ids of devices only as hashes. */
  @Column('boolean', { default: false })
  customIdHashing!: boolean;

  /** Whether devices that run a bundle which Slipway does not know are offered no signed manifest bundle. */
  @Column('boolean', { default: false })
  withholdFromUnknownBundles!: boolean;

  /** Whether nothing is deployed to a channel whose newest deployment has the same content. */
  @Column('boolean', { default: false })
  skipUnchanged!: boolean;

  /** Days after the last check-in when devices are deleted; `null`: as `DEVICE_RETENTION_DAYS` of the server says. */
  @Column('integer', { nullable: true })
  deviceRetentionDays!: number | null;

  /**
   * How many of the newest bundles of each channel retention keeps, unless the channel has its own setting; `null`:
   * all.
   */
  @Column('integer', { nullable: true })
  bundleRetentionCount!: number | null;

  /** Days after the end of a job when its log is deleted; `null`: as `JOB_LOG_RETENTION_DAYS` of the server says. */
  @Column('integer', { nullable: true })
  jobLogRetentionDays!: number | null;

  /** The environment of builds that name none; `null`: they have no environment. By name, as `defaultChannelId`. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey('Environment', { onDelete: 'SET NULL' })
  appEnvironmentId!: string | null;

  /** The stack of builds that ask for none; `null`: the default of the server. */
  @EnumColumn(buildStacks, { nullable: true })
  buildStack!: BuildStack | null;

  /** Builds are only for runners that have all of these labels. */
  @Column('text', { array: true, default: () => "'{}'" })
  runnerLabels!: string[];

  /** Days after which the sources of ended builds are deleted; `null`: as `BUILD_SOURCE_RETENTION_DAYS` says. */
  @Column('integer', { nullable: true })
  buildSourceRetentionDays!: number | null;

  /** Days after which artifacts of native builds are deleted; `null`: as `BUILD_ARTIFACT_RETENTION_DAYS` says. */
  @Column('integer', { nullable: true })
  buildArtifactRetentionDays!: number | null;

  /** How often the caches of its builds were dropped: runners use those of this generation only. */
  @Column('integer', { default: 0 })
  buildCacheGeneration!: number;

  @Column('integer', { default: 1 })
  nextBuildNumber!: number;

  /** The number of the newest build; 0 before the first. */
  @Column('integer', { default: 0 })
  lastBuildNumber!: number;
}
