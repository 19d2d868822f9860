import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { CreatedAtColumn, EnumColumn, TimeColumn } from '../../database/schema/columns.js';

/** Kinds of damage: the bytes are missing, have another length, or another checksum. */
export const damages = ['missing', 'size', 'checksum'] as const;
export type Damage = (typeof damages)[number];

/**
 * Bytes in storage, known by their content and shared within an organization. A blob never changes; its object in
 * storage is named after the row's id, so that a key never holds anything else.
 *
 * The organization is only the one whose uploads find the blob again. Files refer to blobs by id, so an app that moves
 * to another organization continues using those of its former one, also when that is deleted.
 */
@Entity('blobs')
@Unique(['organizationId', 'sha256'])
@Check('blobs_sha256_check', `sha256 ~ '^[0-9a-f]{64}$'`)
@Check('blobs_size_in_bytes_check', `size_in_bytes >= 0`)
@Check('blobs_damaged_at_check', `(damaged_at IS NULL) = (damage IS NULL)`)
@Index(['damagedAt'], { where: 'damaged_at IS NOT NULL' })
@Index('blobs_damaged_idx', ['id'], { where: 'damaged_at IS NOT NULL' })
@Index(['unreferencedSince'], { where: 'unreferenced_since IS NOT NULL' })
export class Blob {
  @PrimaryColumn('uuid')
  id!: string;

  /** `null`: the organization was deleted; no upload reuses the blob. */
  @Column('uuid', { nullable: true })
  @ForeignKey('Organization', { onDelete: 'SET NULL' })
  organizationId!: string | null;

  /** Lower-case hexadecimal, computed by the server. */
  @Column('text')
  sha256!: string;

  @Column('bigint')
  sizeInBytes!: number;

  /** When the stored bytes were last verified: at the upload, or when they were read again. */
  @Index()
  @TimeColumn({ default: () => 'now()' })
  verifiedAt!: Date;

  /** When damage was first found; `null`: none is known. */
  @TimeColumn({ nullable: true })
  damagedAt!: Date | null;

  /** The kind of damage; `null`: none is known. */
  @EnumColumn(damages, { nullable: true })
  damage!: Damage | null;

  /** When a scrubber claimed the blob; `null`: none has. */
  @TimeColumn({ nullable: true })
  scrubStartedAt!: Date | null;

  /** When it was first found unused; `null`: in use, or not checked yet. */
  @TimeColumn({ nullable: true })
  unreferencedSince!: Date | null;

  @CreatedAtColumn()
  createdAt!: Date;
}
