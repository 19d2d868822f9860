import { Check, Column, CreateDateColumn, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';

/**
 * Bytes in storage, known by their content and shared within an organization. A blob never changes; its object in
 * storage is named after the row's id, so that a key is never used twice.
 *
 * The organization is only the one whose uploads find the blob again. Files refer to blobs by id, so an app that moves
 * to another organization goes on using those of its former one, also when that is deleted.
 */
@Entity('blobs')
@Unique(['organizationId', 'sha256'])
@Check('blobs_sha256_check', `sha256 ~ '^[0-9a-f]{64}$'`)
@Check('blobs_size_in_bytes_check', `size_in_bytes >= 0`)
export class Blob {
  @PrimaryColumn('uuid')
  id!: string;

  /** `null`: the organization was deleted, and no upload finds the blob any more. */
  @Column('uuid', { nullable: true })
  @ForeignKey('Organization', { onDelete: 'SET NULL' })
  organizationId!: string | null;

  /** Lower-case hexadecimal, computed by the server. */
  @Column('text')
  sha256!: string;

  @Column('bigint', { transformer: { to: (value: number) => value, from: Number } })
  sizeInBytes!: number;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
