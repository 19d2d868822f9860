import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CreatedAtColumn } from '../database/schema/columns.js';

/**
 * A state that has an event when it begins, such as a quota that is nearly used up. The primary key makes it one event
 * for all servers; the row goes when the state is clearly over.
 */
@Entity('event_conditions')
export class EventCondition {
  @PrimaryColumn('uuid')
  objectId!: string;

  /** Such as `quota`. */
  @PrimaryColumn('text')
  kind!: string;

  /** What was crossed, such as `0.8` or `7d`; empty: there is only one. */
  @PrimaryColumn('text')
  threshold!: string;

  @CreatedAtColumn()
  createdAt!: Date;

  /** Which has the event: a token can be one of several, and an app that goes to another one begins there again. */
  @Index()
  @PrimaryColumn('uuid')
  @ForeignKey('Organization', { onDelete: 'CASCADE', name: 'event_conditions_organization_id_fkey' })
  organizationId!: string;
}
