import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** How far the events of an organization go. Only the dispatcher and the retention write it. */
@Entity('event_positions')
export class EventPosition {
  @PrimaryColumn('uuid')
  @ForeignKey('Organization', { onDelete: 'CASCADE', name: 'event_positions_organization_id_fkey' })
  organizationId!: string;

  /** Of the last event. */
  @Column('bigint', { default: 0 })
  position!: number;

  /** Of the last event that the retention has deleted; 0: none. */
  @Column('bigint', { default: 0 })
  deletedPosition!: number;
}
