import { Column, Entity, ForeignKey, Unique } from 'typeorm';
import { Row } from '../../database/schema/row.entity.js';
import { User } from '../users/user.entity.js';

export const TWO_FACTORS_USER_KEY = 'two_factors_user_id_key';

/** The authenticator app of a user. */
@Entity('two_factors')
@Unique(TWO_FACTORS_USER_KEY, ['userId'])
export class TwoFactor extends Row {
  @Column('uuid')
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  /** The shared secret, sealed by a `SecretBox`. */
  @Column('text')
  secret!: string;

  /** The 30-second step of the newest code that was used: neither it nor an older one is accepted again. */
  @Column('integer')
  lastStep!: number;
}
