import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { User } from '../../accounts/users/user.entity.js';
import { TimeColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';
import { Organization } from '../../organizations/organizations/organization.entity.js';

/** One of a kind of event about an object, for each user, in each hour. */
export const NOTICE_MAILS_HOUR_KEY = 'notice_mails_user_id_object_id_type_hour_key';

/** A mail about an event to one user. Its id is that of the message. Deleted after a week. */
@Entity('notice_mails')
@Unique(NOTICE_MAILS_HOUR_KEY, ['userId', 'objectId', 'type', 'hour'])
@Index(['createdAt'])
@Index(['userId', 'organizationId', 'createdAt'])
@Check('notice_mails_left_out_check', 'left_out >= 0')
export class NoticeMail extends Row {
  @Column('uuid')
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  @Index()
  @Column('uuid')
  @ForeignKey(() => Organization, { onDelete: 'CASCADE' })
  organizationId!: string;

  /** What the mail is about. Without a foreign key: no mail is sent about an event that is gone. */
  @Column('uuid')
  eventId!: string;

  /** Of the event. */
  @Column('uuid')
  objectId!: string;

  /** Of the event. */
  @Column('text')
  type!: string;

  /** Begin of the hour, by the clock, in which the event was recorded. */
  @TimeColumn()
  hour!: Date;

  /** How many later events of the same object, kind and hour have no mail. The next mail says so. */
  @Column('integer', { default: 0 })
  leftOut!: number;

  /** Of the last event that counts. */
  @Column('bigint')
  position!: number;

  /** Whether it is the last one of its kind that the user gets about the organization on this day. */
  @Column('boolean')
  isLast!: boolean;

  /** When the mail server took it; `null`: not yet, or it was given up. */
  @TimeColumn({ nullable: true })
  mailedAt!: Date | null;
}
