import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The head of an organization's chain of audit events. Its row is the lock under which the next event is written. */
@Entity('audit_chains')
export class AuditChain {
  @PrimaryColumn('uuid')
  organizationId!: string;

  /** Of the newest event. */
  @Column('bigint')
  sequence!: number;

  /** Of the newest event. */
  @Column('text')
  hash!: string;
}
