import { Entity, PrimaryColumn } from 'typeorm';
import { CreatedAtColumn } from '../database/schema/columns.js';

/**
 * A count of the positions of all organizations. A database that was restored from a backup gives positions again that
 * readers know: a new epoch keeps the two apart. The largest id is the current one; without rows, it is the first epoch,
 * which has no id.
 */
@Entity('event_epochs')
export class EventEpoch {
  /** UUID v7: random, and larger than those of the epochs before. */
  @PrimaryColumn('uuid')
  id!: string;

  /** When it began, by the clock of the database. */
  @CreatedAtColumn()
  createdAt!: Date;
}
