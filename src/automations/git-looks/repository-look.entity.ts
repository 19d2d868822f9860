import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { App } from '../../apps/apps/app.entity.js';
import { TimeColumn } from '../../database/schema/columns.js';

/** When the server looks at the repository of an app, for its automations. */
@Entity('repository_looks')
export class RepositoryLook {
  @PrimaryColumn('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  @Index()
  @TimeColumn({ default: () => 'now()' })
  nextLookAt!: Date;

  /** Since when a look waits in the queue; `null`: none does. */
  @TimeColumn({ nullable: true })
  requestedAt!: Date | null;

  /** When the refs were read last; `null`: never. */
  @TimeColumn({ nullable: true })
  lookedAt!: Date | null;

  /** When a hook last reported a push: since then, the server looks less often unasked; `null`: no hook does. */
  @TimeColumn({ nullable: true })
  reportedAt!: Date | null;

  /** How many looks have failed since one has not. */
  @Column('integer', { default: 0 })
  failures!: number;

  /** How many looks have found no change since one has. */
  @Column('integer', { default: 0 })
  unchangedLooks!: number;

  /** Why the last look failed, in a sentence; `null`: it did not. */
  @Column('text', { nullable: true })
  failure!: string | null;
}
