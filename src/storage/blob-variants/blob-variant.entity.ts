import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { CreatedAtColumn, EnumColumn, TimeColumn, isOneOf } from '../../database/schema/columns.js';
import { Blob } from '../blobs/blob.entity.js';

export const blobEncodings = ['br'] as const;
export type BlobEncoding = (typeof blobEncodings)[number];

export const blobVariantStates = ['pending', 'ready', 'useless'] as const;
export type BlobVariantState = (typeof blobVariantStates)[number];

/** The bytes of a blob in a content coding (RFC 9110, section 8.4.1): made once, shared like the blob, never needed. */
@Entity('blob_variants')
@Unique(['objectId'])
@Index('blob_variants_pending_idx', ['createdAt', 'blobId'], { where: `state = 'pending'` })
@Check(isOneOf('encoding', blobEncodings))
@Check(
  'blob_variants_ready_check',
  `(state = 'ready') = (object_id IS NOT NULL) AND (state = 'ready') = (size_in_bytes IS NOT NULL)`,
)
export class BlobVariant {
  @PrimaryColumn('uuid')
  @ForeignKey(() => Blob, { onDelete: 'CASCADE' })
  blobId!: string;

  /** As in `Content-Encoding`. */
  @PrimaryColumn('text')
  encoding!: BlobEncoding;

  /** `pending`: still to be made. `useless`: hardly smaller, or it could not be made. */
  @EnumColumn(blobVariantStates, { default: 'pending' })
  state!: BlobVariantState;

  /** The object in storage, named as those of blobs are; `null` until it is ready. */
  @Column('uuid', { nullable: true })
  objectId!: string | null;

  /** Length in this coding; `null` until it is ready. */
  @Column('bigint', { nullable: true })
  sizeInBytes!: number | null;

  /** How many attempts to create it have started. */
  @Column('smallint', { default: 0 })
  attempts!: number;

  /** One process is creating it until this time. */
  @TimeColumn({ nullable: true })
  claimedUntil!: Date | null;

  @CreatedAtColumn()
  createdAt!: Date;
}
