import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { CreatedAtColumn, EnumColumn, TimeColumn, isOneOf } from '../../database/schema/columns.js';
import { Blob } from '../blobs/blob.entity.js';

/** What blobs are compressed with, the best first. */
export const blobEncodings = ['br', 'gzip'] as const;
export type BlobEncoding = (typeof blobEncodings)[number];

export const blobVariantStates = ['pending', 'quick', 'ready', 'useless'] as const;
export type BlobVariantState = (typeof blobVariantStates)[number];

/**
 * The bytes of a blob in a content coding (RFC 9110, section 8.4.1), shared like the blob, never needed. A publication
 * makes them quickly, and a worker replaces them once by those of the best quality.
 */
@Entity('blob_variants')
@Unique(['objectId'])
@Index('blob_variants_unfinished_idx', ['createdAt', 'state', 'blobId'], {
  where: `state IN ('pending', 'quick')`,
})
@Check(isOneOf('encoding', blobEncodings))
@Check('blob_variants_sha256_check', `sha256 ~ '^[0-9a-f]{64}$'`)
@Check(
  'blob_variants_ready_check',
  `(state IN ('quick', 'ready')) = (object_id IS NOT NULL) AND (object_id IS NULL) = (size_in_bytes IS NULL)`,
)
export class BlobVariant {
  @PrimaryColumn('uuid')
  @ForeignKey(() => Blob, { onDelete: 'CASCADE' })
  blobId!: string;

  /** As in `Content-Encoding`. */
  @PrimaryColumn('text')
  encoding!: BlobEncoding;

  /**
   * `pending`: still to be made. `quick`: made quickly, still to be replaced by the best quality. `ready`: never changes.
   * `useless`: hardly smaller, or it could not be made.
   */
  @EnumColumn(blobVariantStates, { default: 'pending' })
  state!: BlobVariantState;

  /** The object in storage, named as those of blobs are; `null`: there is none. */
  @Column('uuid', { nullable: true })
  objectId!: string | null;

  /** Length in this coding; `null`: there is no object. */
  @Column('bigint', { nullable: true })
  sizeInBytes!: number | null;

  /** Lower-case hexadecimal, of the bytes in this coding; `null`: there is no object, or an earlier version has made it. */
  @Column('text', { nullable: true })
  sha256!: string | null;

  /** How many attempts to create it in the best quality have started. */
  @Column('smallint', { default: 0 })
  attempts!: number;

  /** One process is creating it until this time. */
  @TimeColumn({ nullable: true })
  claimedUntil!: Date | null;

  @CreatedAtColumn()
  createdAt!: Date;
}
