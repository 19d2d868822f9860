import { Column, Entity, ForeignKey, Unique } from 'typeorm';
import { Row } from '../../database/row.entity.js';
import { User } from '../users/user.entity.js';

export const USER_IDENTITIES_SUBJECT_KEY = 'user_identities_issuer_subject_key';
export const USER_IDENTITIES_USER_KEY = 'user_identities_user_id_issuer_key';

/** Who a user is at an OpenID provider. */
@Entity('user_identities')
@Unique(USER_IDENTITIES_SUBJECT_KEY, ['issuer', 'subject'])
@Unique(USER_IDENTITIES_USER_KEY, ['userId', 'issuer'])
export class UserIdentity extends Row {
  @Column('uuid')
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  /** The provider, as it names itself (claim `iss`). */
  @Column('text')
  issuer!: string;

  /** The user, as the provider names it for good (claim `sub`). */
  @Column('text')
  subject!: string;
}
