import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { Row } from '../../database/schema/row.entity.js';

/** A file that arrives in parts. The row outlives its completion, so that a repeated completion is recognized. */
@Entity('uploads')
export class Upload extends Row {
  /**
   * What the file is for: the id of a row of any table. A table of owners has the trigger `delete_uploads_of_owners`,
   * because one foreign key cannot refer to several tables.
   */
  @Index()
  @Column('uuid')
  ownerId!: string;

  /** Whose quota the parts count in; `null`: none. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey('Organization', { onDelete: 'CASCADE' })
  organizationId!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  completedAt!: Date | null;
}
