import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { Row } from '../../database/schema/row.entity.js';
import { Blob } from '../../storage/blobs/blob.entity.js';
import { Bundle } from '../bundles/bundle.entity.js';

export const BUNDLE_FILES_HREF_KEY = 'bundle_files_bundle_id_href_key';

/** One file of a bundle: the zip, or one of the files that the manifest lists. */
@Entity('bundle_files')
@Index('bundle_files_empty_idx', ['bundleId'], { where: 'size_in_bytes = 0' })
@Unique(BUNDLE_FILES_HREF_KEY, ['bundleId', 'href'])
@Check('bundle_files_size_in_bytes_check', `size_in_bytes >= 0`)
export class BundleFile extends Row {
  @Column('uuid')
  @ForeignKey(() => Bundle, { onDelete: 'CASCADE' })
  bundleId!: string;

  /** Path inside the bundle, without leading slash; empty for the zip. */
  @Column('text')
  href!: string;

  @Column('text')
  name!: string;

  @Column('text')
  mimeType!: string;

  /** Size that the client announced, in bytes … */
  @Column('bigint')
  sizeInBytes!: number;

  /** … and SHA-256 in lower-case hexadecimal. The stored bytes have been compared with both. */
  @Column('text')
  checksum!: string;

  /** Base64; RSA PKCS#1 v1.5 over SHA-256 of the file. */
  @Column('text', { nullable: true })
  signature!: string | null;

  /** The stored bytes; `null` until they were uploaded and match the announced size and checksum. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => Blob)
  blobId!: string | null;
}
