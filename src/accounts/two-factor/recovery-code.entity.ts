import { Column, Entity, ForeignKey, Unique } from 'typeorm';
import { Row } from '../../database/schema/row.entity.js';
import { User } from '../users/user.entity.js';

/** A code that stands in for the authenticator app, once. Used ones are deleted. */
@Entity('recovery_codes')
@Unique(['userId', 'hash'])
export class RecoveryCode extends Row {
  @Column('uuid')
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  /** SHA-256, lower-case hexadecimal: the codes are random enough. */
  @Column('text')
  hash!: string;
}
