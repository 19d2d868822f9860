import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { User } from '../../accounts/users/user.entity.js';
import { Destination } from '../../app-submissions/destinations/destination.entity.js';
import { App } from '../../apps/apps/app.entity.js';
import type { CopiedScope } from '../../common/access/token-scope.js';
import { EnumColumn, TimeColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';
import { type BuildPlatform, buildPlatforms } from '../../native-builds/builds/build.entity.js';
import { Certificate } from '../../native-builds/certificates/certificate.entity.js';
import { Configuration } from '../../native-builds/configurations/configuration.entity.js';
import { Environment } from '../../native-builds/environments/environment.entity.js';

/** What makes an automation build; `schedule` is not there yet. */
export const triggerTypes = ['branch', 'tag', 'manual', 'schedule'] as const;
export type TriggerType = (typeof triggerTypes)[number];

export const AUTOMATIONS_NAME_KEY = 'automations_app_id_name_lower_key';

/** Builds an app when its repository changes, as the user who saved it last. */
@Entity('automations')
@Unique(AUTOMATIONS_NAME_KEY, ['appId', 'nameLower'])
@Check(
  'automations_commit_message_pattern_check',
  `commit_message_pattern IS NULL OR trigger_type = 'branch'`,
)
@Check('automations_stopped_reason_check', 'stopped_reason IS NULL OR NOT enabled')
@Index(['environmentId'], { where: 'environment_id IS NOT NULL' })
@Index(['certificateId'], { where: 'certificate_id IS NOT NULL' })
@Index(['configurationId'], { where: 'configuration_id IS NOT NULL' })
@Index(['destinationId'], { where: 'destination_id IS NOT NULL' })
@Index(['tokenId'], { where: 'token_id IS NOT NULL' })
export class Automation extends Row {
  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  @Column('text')
  name!: string;

  /** The name as it is compared: see `nameKey`. */
  @Column('text')
  nameLower!: string;

  @EnumColumn(buildPlatforms)
  platform!: BuildPlatform;

  @Column('boolean', { default: true })
  enabled!: boolean;

  /** Why Slipway has disabled it, in a sentence; `null`: it has not. */
  @Column('text', { nullable: true })
  stoppedReason!: string | null;

  @EnumColumn(triggerTypes)
  triggerType!: TriggerType;

  /** Empty: every ref of the kind. */
  @Column('text', { array: true, default: '{}' })
  triggerPatterns!: readonly string[];

  @Column('text', { nullable: true })
  commitMessagePattern!: string | null;

  /** `null`: the first one of the platform. */
  @Column('text', { nullable: true })
  buildType!: string | null;

  /** `null`: that of the app. */
  @Column('text', { nullable: true })
  buildStack!: string | null;

  @Column('uuid', { nullable: true })
  @ForeignKey(() => Environment, { onDelete: 'SET NULL' })
  environmentId!: string | null;

  @Column('uuid', { nullable: true })
  @ForeignKey(() => Certificate, { onDelete: 'SET NULL' })
  certificateId!: string | null;

  @Column('uuid', { nullable: true })
  @ForeignKey(() => Configuration, { onDelete: 'SET NULL' })
  configurationId!: string | null;

  @Column('uuid', { nullable: true })
  @ForeignKey(() => Destination, { onDelete: 'SET NULL' })
  destinationId!: string | null;

  /** Where its web builds go. A channel that is deleted is removed. */
  @Column('uuid', { array: true, default: '{}' })
  channelIds!: readonly string[];

  /** The user who saved it last, as whom it acts; `null`: deleted. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => User, { onDelete: 'SET NULL' })
  savedByUserId!: string | null;

  /** The API token that saved it last, without a foreign key; `null`: a session. */
  @Column('uuid', { nullable: true })
  tokenId!: string | null;

  /** The scope of that token; `null`: none. */
  @Column('jsonb', { nullable: true })
  scope!: CopiedScope | null;

  /** The repository that it was saved for, as its server identifies it; `null`: the app was not linked to one. */
  @Column('text', { nullable: true })
  repositoryKey!: string | null;

  /** Since when pushes are compared with the refs that there were; `null`: those are not recorded yet. */
  @TimeColumn({ nullable: true })
  refsRecordedAt!: Date | null;

  /** When it has started its last build; `null`: none. */
  @TimeColumn({ nullable: true })
  lastTriggeredAt!: Date | null;

  /** `null`: the user was deleted. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => User, { onDelete: 'SET NULL' })
  createdByUserId!: string | null;

  /** `null`: the user was deleted. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => User, { onDelete: 'SET NULL' })
  updatedByUserId!: string | null;
}
