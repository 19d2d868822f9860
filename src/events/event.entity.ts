import { Check, Column, Entity, ForeignKey, Generated, Index, Unique } from 'typeorm';
import { Row } from '../database/schema/row.entity.js';

/**
 * Something that happened to an object, with what others may know of it. Written in the transaction of the change, and
 * never changed but for its position and epoch. See docs/events.md.
 */
@Entity('events')
@Unique(['organizationId', 'position'])
@Index(['createdAt'])
@Index(['organizationId', 'objectId', 'position'])
@Check('events_position_check', 'position > 0')
export class RecordedEvent extends Row {
  /**
   * In the order of insertion, which is not that of the commits. The row of the object is locked before, so it orders
   * the events of one object.
   */
  @Index('events_serial_idx', { where: 'position IS NULL' })
  @Generated('increment')
  @Column('bigint')
  serial!: number;

  /** In the organization, from 1, without gaps; `null`: the dispatcher has not seen it. What readers and webhooks go by. */
  @Column('bigint', { nullable: true })
  position!: number | null;

  /** In which it got its position; `null`: in the first one, or it has none. Without a foreign key. */
  @Column('uuid', { nullable: true })
  epoch!: string | null;

  @Column('uuid')
  @ForeignKey('Organization', { onDelete: 'CASCADE', name: 'events_organization_id_fkey' })
  organizationId!: string;

  /** `null`: about the organization as a whole. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey('App', { onDelete: 'CASCADE', name: 'events_app_id_fkey' })
  appId!: string | null;

  @Column('text')
  type!: string;

  /** The object that it is about, such as a channel or a job. */
  @Column('uuid')
  objectId!: string;

  /** The channel that it concerns, for filters; without a foreign key. */
  @Column('uuid', { nullable: true })
  channelId!: string | null;

  /** Who caused it; `null`: no user. Without a foreign key: it stays when the user is gone. */
  @Column('uuid', { nullable: true })
  userId!: string | null;

  /** Ids instead of names and addresses of people. At most 64 kB as JSON. */
  @Column('jsonb')
  data!: object;
}
