import { Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { Row } from '../../database/row.entity.js';
import { User } from '../users/user.entity.js';

/** An API token: a credential that acts as its user. */
@Entity('tokens')
@Unique(['hash'])
export class Token extends Row {
  @Index()
  @Column('uuid')
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  @Column('text')
  name!: string;

  /** SHA-256 of the token, lower-case hexadecimal. */
  @Column('text')
  hash!: string;

  /** `null`: does not expire. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null;

  /** Moves at most every few minutes. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt!: Date | null;
}
