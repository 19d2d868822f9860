import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { User } from '../../accounts/users/user.entity.js';
import { App } from '../../apps/apps/app.entity.js';
import { EnumColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';
import { type ReleaseStatus, releaseStatuses } from '../releases/store-release.entity.js';
import { Submission, submissionActions, type SubmissionAction } from '../submissions/submission.entity.js';

/**
 * What can happen to a release: `requested` and `ended` are about an action, `approved`, `approval_withdrawn` and
 * `approval_rejected` about the approvals that the destination requires, `overridden` about an emergency, `finished` about
 * what a person had to do in the store, and `status` about what the store says.
 */
export const releaseEventKinds = [
  'requested',
  'approved',
  'approval_withdrawn',
  'approval_rejected',
  'overridden',
  'ended',
  'finished',
  'status',
] as const;
export type ReleaseEventKind = (typeof releaseEventKinds)[number];

/** Who has caused it. */
export const releaseActors = ['user', 'rollout-plan', 'automation', 'slipway', 'store'] as const;
export type ReleaseActor = (typeof releaseActors)[number];

/** One line of the history of a release. Its id is its place in the order. */
@Entity('release_events')
@Index(['releaseId', 'id'])
export class ReleaseEvent extends Row {
  @Index()
  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  /** The submission, which has the id of its deployment. */
  @Column('uuid')
  @ForeignKey(() => Submission, { onDelete: 'CASCADE' })
  releaseId!: string;

  @EnumColumn(releaseEventKinds)
  kind!: ReleaseEventKind;

  @EnumColumn(releaseActors)
  actor!: ReleaseActor;

  /** `null`: no user, or the user was deleted. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => User, { onDelete: 'SET NULL' })
  userId!: string | null;

  /** What was requested, or has ended; `null`: the event is about no action. */
  @EnumColumn(submissionActions, { nullable: true })
  action!: SubmissionAction | null;

  /** The new share of users, with the action `set-rollout`, or that the store shows; `null`: nothing is said about it. */
  @Column('double precision', { nullable: true })
  userFraction!: number | null;

  /** The new status of the release; `null`: it is the same. */
  @EnumColumn(releaseStatuses, { nullable: true })
  status!: ReleaseStatus | null;

  /** With `ended`: whether the store has done it; `null`: the event is no end. */
  @Column('boolean', { nullable: true })
  hasSucceeded!: boolean | null;

  /** The job of the action; `null`: there is none. Without a foreign key: the history outlives it. */
  @Column('uuid', { nullable: true })
  jobId!: string | null;

  /** One sentence for people, such as a comment or a reason; `null`: none. */
  @Column('text', { nullable: true })
  message!: string | null;

  /** What the store said, in its words; `null`: nothing. */
  @Column('text', { nullable: true })
  storeMessage!: string | null;
}
