import { Column, Entity, ForeignKey, Unique } from 'typeorm';
import { Row } from '../../database/row.entity.js';
import { FileUpload } from './file-upload.entity.js';

export const UPLOAD_PARTS_UPLOAD_FKEY = 'upload_parts_file_upload_id_fkey';

/** One part of a file that arrives in parts. Its bytes are staged under the row's id, apart from all blobs. */
@Entity('upload_parts')
@Unique(['fileUploadId', 'partNumber', 'sha256'])
export class UploadPart extends Row {
  @Column('uuid')
  @ForeignKey(() => FileUpload, { onDelete: 'CASCADE' })
  fileUploadId!: string;

  /** From 1. */
  @Column('integer')
  partNumber!: number;

  /** Of the part; also its etag. */
  @Column('text')
  sha256!: string;
}
