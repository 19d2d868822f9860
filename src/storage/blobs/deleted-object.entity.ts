import { Entity, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../database/schema/columns.js';

/**
 * An object in storage to remove, because its row was deleted. Written by the triggers `note_deleted_object`
 * with the deletion itself, whatever it is a cascade of: so no process that ends at the wrong time leaves an object that
 * nothing knows.
 */
@Entity('deleted_objects')
export class DeletedObject {
  /** What the object is named after, as those of blobs are. */
  @PrimaryColumn('uuid')
  id!: string;

  @Index()
  @TimeColumn({ default: () => 'now()' })
  deletedAt!: Date;
}
