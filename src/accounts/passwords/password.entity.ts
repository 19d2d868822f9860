import { Column, Entity, ForeignKey, Unique } from 'typeorm';
import { Row } from '../../database/schema/row.entity.js';
import { User } from '../users/user.entity.js';

/** The password of a user. In a table of its own, so that reading a user never reads it. */
@Entity('passwords')
@Unique(['userId'])
export class Password extends Row {
  @Column('uuid')
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  /** PHC string (argon2id). */
  @Column('text')
  hash!: string;
}
