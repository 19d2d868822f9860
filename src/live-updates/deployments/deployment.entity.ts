import { Check, Column, Entity, ForeignKey, Generated, Index } from 'typeorm';
import { User } from '../../accounts/users/user.entity.js';
import { Destination } from '../../app-submissions/destinations/destination.entity.js';
import { App } from '../../apps/apps/app.entity.js';
import { EnumColumn, TimeColumn } from '../../database/schema/columns.js';
import { VersionedRow } from '../../database/schema/versioned-row.entity.js';
import { Build } from '../../native-builds/builds/build.entity.js';
import { Channel } from '../channels/channel.entity.js';

/** Whether it may be delivered: `pending` needs approvals, `rejected` never will be. */
export const approvalStatuses = ['approved', 'pending', 'rejected'] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

/** A build that was sent to a channel, where the newest approved one is the active one, or to a destination in a store. */
@Entity('deployments')
@Index(['appId', 'sequence', 'id'])
@Index(['channelId', 'sequence'])
@Index(['destinationId', 'sequence'], { where: 'destination_id IS NOT NULL' })
@Index('deployments_pending_idx', ['channelId', 'sequence'], { where: `approval_status = 'pending'` })
@Check('deployments_required_approvals_check', `required_approvals BETWEEN 0 AND 5`)
@Check('deployments_rollout_percentage_check', `rollout_percentage BETWEEN 0 AND 1`)
@Check('deployments_target_check', `num_nonnulls(channel_id, destination_id) = 1`)
export class Deployment extends VersionedRow {
  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  @Index()
  @Column('uuid')
  @ForeignKey(() => Build, { onDelete: 'CASCADE' })
  buildId!: string;

  /** `null`: it goes to a destination, and no device sees it. */
  @Column('uuid', { nullable: true })
  @ForeignKey(() => Channel, { onDelete: 'CASCADE' })
  channelId!: string | null;

  /** `null`: it goes to a channel. Its submission has the id of the deployment. */
  @Column('uuid', { nullable: true })
  @ForeignKey(() => Destination, { onDelete: 'CASCADE' })
  destinationId!: string | null;

  /**
   * Place in the order of deployments: the newest one has the highest. It is given while the channel is locked, so of
   * two deployments to one channel the one that is committed later has the higher number.
   */
  @Column('bigint')
  @Generated('increment')
  sequence!: number;

  /** Share of devices, or of users of the store, that receive it, 0 to 1. */
  @Column('double precision', { default: 1 })
  rolloutPercentage!: number;

  /** The default is for deployments from before there were approvals. */
  @EnumColumn(approvalStatuses, { default: 'approved' })
  approvalStatus!: ApprovalStatus;

  /** As the channel required at creation. */
  @Column('smallint', { default: 0 })
  requiredApprovals!: number;

  /** The user who created it, and cannot approve it; `null`: the user was deleted. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => User, { onDelete: 'SET NULL' })
  createdByUserId!: string | null;

  /** The user who changed it last; `null`: no user, such as a step of its rollout plan, or the user was deleted. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => User, { onDelete: 'SET NULL' })
  updatedByUserId!: string | null;

  /** When its share last became 1 while it was live; `null`: never, or before this was remembered. */
  @TimeColumn({ nullable: true })
  reachedAllAt!: Date | null;

  /** When it was last taken back, or stopped by its health gate; `null`: never, or not since its share became 1. */
  @TimeColumn({ nullable: true })
  takenBackAt!: Date | null;

  /** When approvals or a freeze were overridden for it last; `null`: never. */
  @TimeColumn({ nullable: true })
  emergencyAt!: Date | null;

  /** The user who overrode them; `null`: never overridden, or the user was deleted. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => User, { onDelete: 'SET NULL' })
  emergencyByUserId!: string | null;

  @Column('text', { nullable: true })
  emergencyReason!: string | null;

  /** What is new for users; `null`: nothing is said, or it goes to a store. */
  @Column('text', { nullable: true })
  notes!: string | null;

  /** What a user said who created it, changed its share or aborted its plan: the last one who said something. */
  @Column('text', { nullable: true })
  comment!: string | null;

  /** Highest Android `versionCode` that gets it, as `maxNativeVersion` meant at its creation; `null`: no such maximum. */
  @Column('text', { nullable: true })
  maxAndroidAppVersionCode!: string | null;

  /** The same of iOS. */
  @Column('text', { nullable: true })
  maxIosAppVersionCode!: string | null;

  /** The same of Electron. */
  @Column('text', { nullable: true })
  maxElectronAppVersionCode!: string | null;

  /** By locale, for a store; `null`: none, or it goes to a channel. */
  @Column('jsonb', { nullable: true })
  releaseNotes!: Record<string, string> | null;
}
