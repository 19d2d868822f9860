import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { App } from '../../apps/apps/app.entity.js';
import { TimeColumn } from '../../database/schema/columns.js';

/** What a git server says of a branch or a tag. It may be wrong, late, or a repetition. */
export interface ReportedPush {
  /** Such as `refs/heads/main`. */
  readonly ref: string;
  /** The commit that it led to, of some servers the object of an annotated tag; `null`: it was created. */
  readonly before: string | null;
  /** The commit that it leads to, in the same way; `null`: it was deleted. */
  readonly after: string | null;
}

/** A push that a git server has reported, until a look has dealt with it. */
@Entity('expected_pushes')
export class ExpectedPush {
  @PrimaryColumn('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  @PrimaryColumn('text')
  ref!: string;

  @Column('text', { nullable: true })
  beforeSha!: string | null;

  @Column('text', { nullable: true })
  afterSha!: string | null;

  @TimeColumn({ default: () => 'now()' })
  receivedAt!: Date;
}
