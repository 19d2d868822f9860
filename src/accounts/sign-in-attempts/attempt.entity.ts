import { Column, Entity, Index, Unique } from 'typeorm';
import { Row } from '../../database/row.entity.js';

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
  @Column({ type: 'timestamptz', precision: 3 })
  blockedUntil!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  succeededAt!: Date | null;
}
