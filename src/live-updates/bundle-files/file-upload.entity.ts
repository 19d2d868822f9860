import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { TimeColumn } from '../../database/columns.js';
import { Row } from '../../database/row.entity.js';
import { BundleFile } from './bundle-file.entity.js';

/** A file that arrives in parts. The row outlives its completion, so that a repeated completion is recognized. */
@Entity('file_uploads')
export class FileUpload extends Row {
  @Index()
  @Column('uuid')
  @ForeignKey(() => BundleFile, { onDelete: 'CASCADE' })
  bundleFileId!: string;

  @TimeColumn({ nullable: true })
  completedAt!: Date | null;
}
