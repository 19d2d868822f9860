import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CreatedAtColumn, EnumColumn, TimeColumn } from '../../database/schema/columns.js';
import { Blob } from '../../storage/blobs/blob.entity.js';
import { Bundle } from '../bundles/bundle.entity.js';

export const generatedZipStates = ['pending', 'ready', 'useless'] as const;
export type GeneratedZipState = (typeof generatedZipStates)[number];

/** The zip of an unsigned manifest bundle, for devices that have none of its files. See ADR 32. */
@Entity('generated_zips')
@Index('generated_zips_pending_idx', ['createdAt', 'bundleId'], { where: `state = 'pending'` })
@Check('generated_zips_ready_check', `(state = 'ready') = (blob_id IS NOT NULL)`)
export class GeneratedZip {
  @PrimaryColumn('uuid')
  @ForeignKey(() => Bundle, { onDelete: 'CASCADE' })
  bundleId!: string;

  /**
   * `pending`: still to be made. `useless`: it could not be made, or is hardly smaller than the single files, of which none is
   * empty.
   */
  @EnumColumn(generatedZipStates, { default: 'pending' })
  state!: GeneratedZipState;

  /** The zip; `null` until it is ready. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => Blob)
  blobId!: string | null;

  /** SHA-256 of the zip, lower-case hexadecimal: also of one that has to be made again, because caches keep the bytes. */
  @Column('text', { nullable: true })
  checksum!: string | null;

  /** Bytes that a device with Brotli downloads instead, with the heads of the responses; `null` until it is known. */
  @Column('bigint', { nullable: true })
  brotliFilesBytes!: number | null;

  /** The same for a device with gzip only. */
  @Column('bigint', { nullable: true })
  gzipFilesBytes!: number | null;

  /** How many attempts to make it have started. */
  @Column('smallint', { default: 0 })
  attempts!: number;

  /** One process is making it until this time. If it is useless, it is not tried again before. */
  @TimeColumn({ nullable: true })
  claimedUntil!: Date | null;

  @CreatedAtColumn()
  createdAt!: Date;
}
