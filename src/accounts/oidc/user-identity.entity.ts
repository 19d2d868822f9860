import { Column, Entity, ForeignKey, Unique } from 'typeorm';
import { Row } from '../../database/schema/row.entity.js';
import { User } from '../users/user.entity.js';

export const USER_IDENTITIES_SUBJECT_KEY = 'user_identities_issuer_subject_key';
export const USER_IDENTITIES_USER_KEY = 'user_identities_user_id_issuer_key';

/** The identity of a user at an OpenID provider. */
@Entity('user_identities')
@Unique(USER_IDENTITIES_SUBJECT_KEY, ['issuer', 'subject'])
@Unique(USER_IDENTITIES_USER_KEY, ['userId', 'issuer'])
export class UserIdentity extends Row {
  @Column('uuid')
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  /** The provider (claim `iss`). */
  @Column('text')
  issuer!: string;

  /** The permanent id of the user at the provider (claim `sub`). */
  @Column('text')
  subject!: string;
}
