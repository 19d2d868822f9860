import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { User } from '../../accounts/users/user.entity.js';
import { App } from '../../apps/apps/app.entity.js';
import type { FreezeWindow } from '../../common/freezes/freeze-window.js';
import { TimeColumn } from '../../database/schema/columns.js';
import { VersionedRow } from '../../database/schema/versioned-row.entity.js';

export const DEFAULT_ROLLBACK_LIMIT = 2;
export const MAX_ROLLBACK_LIMIT = 100;

export const CHANNELS_NAME_KEY = 'channels_app_id_name_lower_key';

/** A named stream of deployments that devices follow, such as `production`. */
@Entity('channels')
@Unique(CHANNELS_NAME_KEY, ['appId', 'nameLower'])
@Check('channels_required_approvals_check', `required_approvals BETWEEN 0 AND 5`)
@Check('channels_bundle_retention_count_check', `bundle_retention_count BETWEEN 1 AND 1000`)
@Check('channels_rollback_limit_check', `rollback_limit BETWEEN 1 AND 100`)
export class Channel extends VersionedRow {
  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  @Column('text')
  name!: string;

  /** The name as it is compared: see `nameKey`. */
  @Column('text')
  nameLower!: string;

  /** Delivery stops at this time; `null`: never. */
  @TimeColumn({ nullable: true })
  expiresAt!: Date | null;

  /** Start of the pause; `null`: not paused. */
  @TimeColumn({ nullable: true })
  pausedAt!: Date | null;

  /** Since this time, only signed bundles are delivered; `null`: not protected. */
  @TimeColumn({ nullable: true })
  protectedAt!: Date | null;

  /** People other than its creator who must approve a deployment before it is delivered. */
  @Column('smallint', { default: 0 })
  requiredApprovals!: number;

  @Column('jsonb', { default: [] })
  freezeWindows!: FreezeWindow[];

  /** Patterns of the only branches and tags from which automations may send builds; empty: all are allowed. */
  @Column('text', { array: true, default: () => "'{}'" })
  allowedRefs!: string[];

  /** How many of the newest bundles of the channel retention keeps; `null`: the setting of the app. */
  @Column('integer', { nullable: true })
  bundleRetentionCount!: number | null;

  /** Roll-backs of a bundle after which a device is not offered it again in that native version; `null`: no limit. */
  @Column('integer', { nullable: true, default: DEFAULT_ROLLBACK_LIMIT })
  rollbackLimit!: number | null;

  /** What a user said who paused, resumed or changed it last; `null`: nothing. */
  @Column('text', { nullable: true })
  comment!: string | null;

  /** The user who changed it last; `null`: no user has, or the user was deleted. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => User, { onDelete: 'SET NULL' })
  updatedByUserId!: string | null;
}
