import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { App } from '../../apps/apps/app.entity.js';
import { CreatedAtColumn, EnumColumn, TimeColumn, UpdatedAtColumn } from '../../database/schema/columns.js';
import { Submission } from '../submissions/submission.entity.js';

/** Where a release can be in a store. See docs/app-submissions.md for what each means in which store. */
export const releaseStatuses = [
  /** A person finishes it in the Play Console. */
  'draft',
  /** A person must send it for review in the store. */
  'not_sent_for_review',
  'waiting_for_review',
  'in_review',
  /** The review has rejected it. */
  'rejected',
  /** It was taken out of the review. */
  'withdrawn',
  /** Approved, and not live: it waits for `release`, for its date, or for the store. */
  'approved',
  /** TestFlight: testers have it. */
  'testing',
  /** Some users get it. */
  'rolling_out',
  /** A phased release of the App Store that stopped: those who have it keep it, and all users can get it by hand. */
  'paused',
  /** A staged release of Google Play that stopped: no other user gets it. */
  'halted',
  /** All users get it. */
  'released',
  /** Another release has taken its place. */
  'replaced',
  /** The store does not show it any more. */
  'removed',
] as const;
export type ReleaseStatus = (typeof releaseStatuses)[number];

/** Where the release of a submission is in its store, since the store has it: under the id of the submission. */
@Entity('store_releases')
@Check('store_releases_user_fraction_check', `user_fraction BETWEEN 0 AND 1`)
@Check('store_releases_resume_fraction_check', `resume_fraction BETWEEN 0 AND 1`)
export class StoreRelease {
  /** That of the submission, and of its deployment. */
  @PrimaryColumn('uuid')
  @ForeignKey(() => Submission, { onDelete: 'CASCADE' })
  id!: string;

  @Index()
  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  @EnumColumn(releaseStatuses)
  status!: ReleaseStatus;

  /** When the status began, as far as Slipway knows. */
  @TimeColumn()
  statusSince!: Date;

  @Column('text', { nullable: true })
  storeStatus!: string | null;

  @Column('double precision', { nullable: true })
  userFraction!: number | null;

  /** While it is paused or halted, the share that it had before. */
  @Column('double precision', { nullable: true })
  resumeFraction!: number | null;

  @Column('text')
  message!: string;

  @Column('text', { nullable: true })
  link!: string | null;

  /** When the store last said where it is; `null`: not since the submission. */
  @TimeColumn({ nullable: true })
  lookedAt!: Date | null;

  /** When the store is asked next; `null`: never. */
  @TimeColumn({ nullable: true })
  nextLookAt!: Date | null;

  /** Looks in a row that have failed. */
  @Column('integer', { default: 0 })
  failedLooks!: number;

  /** Why the last look has failed, in one sentence; `null`: it has not. */
  @Column('text', { nullable: true })
  lookError!: string | null;

  @CreatedAtColumn()
  createdAt!: Date;

  @UpdatedAtColumn()
  updatedAt!: Date;
}
