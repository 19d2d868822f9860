import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { User } from '../../accounts/users/user.entity.js';
import { App } from '../../apps/apps/app.entity.js';
import type { CopiedScope } from '../../common/access/token-scope.js';
import { type BuildFormFactor, buildFormFactors } from '../../common/build-numbers.js';
import { EnumColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';
import { Job } from '../../jobs/jobs/job.entity.js';
import { BuildSource } from '../build-sources/build-source.entity.js';
import { Certificate } from '../certificates/certificate.entity.js';
import { Configuration } from '../configurations/configuration.entity.js';
import { Environment } from '../environments/environment.entity.js';

export const buildPlatforms = ['android', 'ios', 'web'] as const;
export type BuildPlatform = (typeof buildPlatforms)[number];

/** One build of an app: the web build of a live update, or a native build. */
@Entity('builds')
@Unique(['appId', 'number'])
@Unique(['jobId'])
@Index(['appId', 'createdAt', 'id'])
@Index(['appId', 'automationId', 'createdAt', 'id'], { where: 'automation_id IS NOT NULL' })
@Index(['buildSourceId'], { where: 'build_source_id IS NOT NULL' })
@Index(['environmentId'], { where: 'environment_id IS NOT NULL' })
@Index(['certificateId'], { where: 'certificate_id IS NOT NULL' })
@Index(['configurationId'], { where: 'configuration_id IS NOT NULL' })
@Index(['createdBy'], { where: 'created_by IS NOT NULL' })
@Index('builds_store_build_number_key', ['appId', 'platform', 'storePackageName', 'storeBuildNumber'], {
  unique: true,
  where: 'store_build_number IS NOT NULL',
})
@Check(
  'builds_store_build_number_check',
  'store_build_number > 0 AND store_package_name IS NOT NULL OR num_nonnulls(store_build_number, store_package_name) = 0',
)
export class Build extends Row {
  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  /** Sequential per app, from 1. */
  @Column('integer')
  number!: number;

  @EnumColumn(buildPlatforms)
  platform!: BuildPlatform;

  /** Such as `debug` or `app-store`; `null` for web builds, and for imports until their file says it. */
  @Column('text', { nullable: true })
  type!: string | null;

  /** The job that makes it; `null` for bundles that were uploaded or registered. */
  @Column('uuid', { nullable: true })
  @ForeignKey(() => Job, { onDelete: 'SET NULL' })
  jobId!: string | null;

  /** The zip that it is made of; `null`: a commit, or retention has deleted it. */
  @Column('uuid', { nullable: true })
  @ForeignKey(() => BuildSource, { onDelete: 'SET NULL' })
  buildSourceId!: string | null;

  @Column('uuid', { nullable: true })
  @ForeignKey(() => Environment, { onDelete: 'SET NULL' })
  environmentId!: string | null;

  @Column('uuid', { nullable: true })
  @ForeignKey(() => Certificate, { onDelete: 'SET NULL' })
  certificateId!: string | null;

  @Column('uuid', { nullable: true })
  @ForeignKey(() => Configuration, { onDelete: 'SET NULL' })
  configurationId!: string | null;

  /** The automation that started it; without a foreign key: it stays when the automation is gone. */
  @Column('uuid', { nullable: true })
  automationId!: string | null;

  /** The scope of the token that saved the automation; `null`: none, or a person has started the build. */
  @Column('jsonb', { nullable: true })
  automationScope!: CopiedScope | null;

  /** The application id or bundle id that `storeBuildNumber` is for; `null`: the build has none. */
  @Column('text', { nullable: true })
  storePackageName!: string | null;

  /** The devices that `storeBuildNumber` is for; `null`: the build has none, or had it from an earlier version. */
  @EnumColumn(buildFormFactors, { nullable: true })
  storeFormFactor!: BuildFormFactor | null;

  /** The build number of the app, one more than its store had: see `buildNumber: store` of configurations. */
  @Column('bigint', { nullable: true })
  storeBuildNumber!: number | null;

  /** Variables of this build alone, as a sealed JSON object; `null`: none. */
  @Column('text', { nullable: true })
  sealedAdHocVariables!: string | null;

  /** The build begins with empty caches. */
  @Column('boolean', { default: false })
  noCache!: boolean;

  /** Texts for stores by locale. */
  @Column('jsonb', { nullable: true })
  releaseNotes!: Record<string, string> | null;

  /** Who started the job; `null` also for builds of uploaded and registered bundles. */
  @Column('uuid', { nullable: true })
  @ForeignKey(() => User, { onDelete: 'SET NULL' })
  createdBy!: string | null;

  /** Branch, tag or commit that was built. */
  @Column('text', { nullable: true })
  gitRef!: string | null;

  /** The branch or tag that `gitRef` was found to be, such as `refs/heads/main`; `null`: a commit, or no build of a ref. */
  @Column('text', { nullable: true })
  gitRefFullName!: string | null;

  /** Whether that was the default branch of the repository when the build was created. */
  @Column('boolean', { default: false })
  isDefaultBranch!: boolean;

  @Column('text', { nullable: true })
  gitCommitMessage!: string | null;

  @Column('text', { nullable: true })
  gitCommitRef!: string | null;

  @Column('text', { nullable: true })
  gitCommitSha!: string | null;

  @Column('text', { nullable: true })
  displayName!: string | null;

  @Column('text', { nullable: true })
  packageName!: string | null;

  @Column('text', { nullable: true })
  packageVersion!: string | null;

  /** Up to ten key-value pairs that devices receive with the bundle. */
  @Column('jsonb', { nullable: true })
  customProperties!: Record<string, string> | null;

  /** Native versions that may receive the build: at least … */
  @Column('text', { nullable: true })
  minAndroidAppVersionCode!: string | null;

  /** … at most … */
  @Column('text', { nullable: true })
  maxAndroidAppVersionCode!: string | null;

  /** … and not this one, whose binary already contains the code. */
  @Column('text', { nullable: true })
  eqAndroidAppVersionCode!: string | null;

  @Column('text', { nullable: true })
  minIosAppVersionCode!: string | null;

  @Column('text', { nullable: true })
  maxIosAppVersionCode!: string | null;

  @Column('text', { nullable: true })
  eqIosAppVersionCode!: string | null;

  @Column('text', { nullable: true })
  minElectronAppVersionCode!: string | null;

  @Column('text', { nullable: true })
  maxElectronAppVersionCode!: string | null;

  @Column('text', { nullable: true })
  eqElectronAppVersionCode!: string | null;
}
