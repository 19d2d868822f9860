import { Column, Entity, Index, Unique } from 'typeorm';
import { TimeColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';

/** Failed and successful attempts to guess one thing from one address. */
@Entity('sign_in_attempts')
@Unique(['key'])
@Index(['updatedAt'])
export class Attempt extends Row {
  /** SHA-256 of what is guessed, and from where. */
  @Column('text')
  key!: string;

  /** Since the last success, or since earlier failures ceased to count. */
  @Column('integer')
  failures!: number;

  /** No attempt is allowed before this time. */
  @TimeColumn()
  blockedUntil!: Date;

  @TimeColumn({ nullable: true })
  succeededAt!: Date | null;
}
