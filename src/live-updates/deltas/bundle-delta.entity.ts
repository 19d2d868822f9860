import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CreatedAtColumn, TimeColumn } from '../../database/schema/columns.js';
import { Blob } from '../../storage/blobs/blob.entity.js';
import { Bundle } from '../bundles/bundle.entity.js';

export const BUNDLE_DELTAS_FROM_FKEY = 'bundle_deltas_from_bundle_id_fkey';
export const BUNDLE_DELTAS_TO_FKEY = 'bundle_deltas_to_bundle_id_fkey';

/** An archive that updates one bundle to another, kept for the next download. It can be created again at any time. */
@Entity('bundle_deltas')
export class BundleDelta {
  @PrimaryColumn('uuid')
  @ForeignKey(() => Bundle, { onDelete: 'CASCADE' })
  toBundleId!: string;

  @Index()
  @PrimaryColumn('uuid')
  @ForeignKey(() => Bundle, { onDelete: 'CASCADE' })
  fromBundleId!: string;

  /** The archive; `null` while it is being made. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => Blob, { onDelete: 'CASCADE' })
  blobId!: string | null;

  /** One process is creating it until this time. */
  @TimeColumn()
  claimedUntil!: Date;

  @CreatedAtColumn()
  createdAt!: Date;
}
