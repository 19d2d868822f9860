import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { Row } from '../../database/row.entity.js';
import { User } from '../users/user.entity.js';

/** A sign-in that lasts: of a program (by a code) or of a browser (by a cookie). */
@Entity('sessions')
@Unique(['hash'])
@Check('sessions_kind_check', `kind IN ('device', 'browser')`)
export class Session extends Row {
  @Index()
  @Column('uuid')
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  @Column('text')
  kind!: 'device' | 'browser';

  /** SHA-256 of the token, lower-case hexadecimal. */
  @Column('text')
  hash!: string;

  /** Where it was made. */
  @Column('text')
  address!: string;

  @Column('text', { nullable: true })
  userAgent!: string | null;

  /** Moves at most every few minutes. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  lastUsedAt!: Date;
}
