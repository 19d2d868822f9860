import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CreatedAtColumn, TimeColumn } from '../../database/schema/columns.js';
import { Runner } from '../runners/runner.entity.js';

/** Jobs that one runner can work on at the same time, at most. */
export const MAX_SLOTS = 16;

/** The process of a runner that is, or was last, in contact: what it says of itself. A runner has one at most. */
@Entity('runner_sessions')
@Index(['runnerId'], { unique: true })
@Check('runner_sessions_slots_check', `slots BETWEEN 1 AND ${MAX_SLOTS}`)
export class RunnerSession {
  /** UUID v7, made by the application. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey(() => Runner, { onDelete: 'CASCADE' })
  runnerId!: string;

  @CreatedAtColumn()
  createdAt!: Date;

  /** Updated with its claims, at most every few seconds. */
  @TimeColumn({ default: () => 'now()' })
  lastSeenAt!: Date;

  /** When it said goodbye; `null`: it did not. */
  @TimeColumn({ nullable: true })
  endedAt!: Date | null;

  /** The name of the machine; `null`: not reported. */
  @Column('text', { nullable: true })
  name!: string | null;

  /** Of the runner program. */
  @Column('text')
  version!: string;

  @Column('text')
  os!: string;

  @Column('text')
  arch!: string;

  @Column('text', { array: true })
  platforms!: string[];

  @Column('text', { array: true })
  stacks!: string[];

  @Column('text', { array: true })
  labels!: string[];

  @Column('integer')
  slots!: number;
}
