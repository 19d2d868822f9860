import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { App } from '../../apps/apps/app.entity.js';
import { EnumColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';

export const gitEventOutcomes = ['built', 'skipped'] as const;
export type GitEventOutcome = (typeof gitEventOutcomes)[number];

/**
 * Why a change started nothing. `skip_ci`: the message says so; `message_pattern`: the message does not match;
 * `message_unknown`: the server does not say it; `limit`: too many refs changed at once; `ref_not_allowed`: what the build
 * uses is not for this ref; `refused`: the build was refused; `pattern`: no automation matches the ref; `same_commit`: the
 * ref leads to a commit that was decided before; `rights_lost`: the automation may no longer do what it does.
 */
export const skipReasons = [
  'skip_ci',
  'message_pattern',
  'message_unknown',
  'limit',
  'ref_not_allowed',
  'refused',
  'pattern',
  'same_commit',
  'rights_lost',
] as const;
export type SkipReason = (typeof skipReasons)[number];

/** What an automation has made of a change of the repository, or why a push that a hook reported was for none. */
@Entity('git_events')
@Index(['appId', 'createdAt', 'id'])
@Index(['createdAt'])
export class GitEvent extends Row {
  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  /** Without a foreign key, as `buildId`: it stays when the automation is gone; `null`: a push was for none. */
  @Column('uuid', { nullable: true })
  automationId!: string | null;

  /** Such as `refs/heads/main`; `null`: more than one. */
  @Column('text', { nullable: true })
  ref!: string | null;

  @Column('text', { nullable: true })
  commitSha!: string | null;

  /** Whether a person asked for the build; otherwise a look found the change. */
  @Column('boolean', { default: false })
  isRequested!: boolean;

  @EnumColumn(gitEventOutcomes)
  outcome!: GitEventOutcome;

  /** `null`: it was built. */
  @EnumColumn(skipReasons, { nullable: true })
  reason!: SkipReason | null;

  /** The reason in a sentence. */
  @Column('text', { nullable: true })
  message!: string | null;

  @Column('uuid', { nullable: true })
  buildId!: string | null;
}
