import { Column, Entity, ForeignKey, Unique } from 'typeorm';
import { Row } from '../../database/schema/row.entity.js';
import { Upload } from './upload.entity.js';

/** One part of a file that arrives in parts. Its bytes are an object that is named after the row's id. */
@Entity('upload_parts')
@Unique(['uploadId', 'partNumber'])
export class UploadPart extends Row {
  @Column('uuid')
  @ForeignKey(() => Upload, { onDelete: 'CASCADE' })
  uploadId!: string;

  /** From 1. */
  @Column('integer')
  partNumber!: number;

  /** Of the part, lower-case hexadecimal; also its etag. */
  @Column('text')
  sha256!: string;

  @Column('bigint', { default: 0 })
  sizeInBytes!: number;
}
