import { Check, Column, CreateDateColumn, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';

/**
 * Bytes in storage, known by their content and shared within an organization. A blob never changes; its object in
 * storage is named after the row's id, so that a key is never used twice.
 */
@Entity('blobs')
@Unique(['organizationId', 'sha256'])
@Check('blobs_sha256_check', `sha256 ~ '^[0-9a-f]{64}$'`)
@Check('blobs_size_in_bytes_check', `size_in_bytes >= 0`)
export class Blob {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey('Organization', { onDelete: 'CASCADE' })
  organizationId!: string;

  /** Lower-case hexadecimal, computed by the server. */
  @Column('text')
  sha256!: string;

  @Column('bigint', { transformer: { to: (value: number) => value, from: Number } })
  sizeInBytes!: number;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
