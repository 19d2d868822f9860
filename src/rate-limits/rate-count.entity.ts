import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Calls that all replicas have admitted in one window. The table is unlogged: it is written every second and of use for
 * a minute, so PostgreSQL need not write it twice; after a crash it is empty, and counts start at zero.
 */
@Entity('rate_counts')
export class RateCount {
  @PrimaryColumn('timestamptz', { precision: 0 })
  windowStart!: Date;

  /** SHA-256 of what is counted, lower-case hexadecimal: addresses are not kept in readable form. */
  @PrimaryColumn('text')
  key!: string;

  @Column('integer')
  count!: number;
}
