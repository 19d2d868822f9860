import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CreatedAtColumn, TimeColumn } from '../../database/columns.js';
import { Blob } from '../../storage/blobs/blob.entity.js';
import { Bundle } from '../bundles/bundle.entity.js';

export const BUNDLE_DELTAS_FROM_FKEY = 'bundle_deltas_from_bundle_id_fkey';
export const BUNDLE_DELTAS_TO_FKEY = 'bundle_deltas_to_bundle_id_fkey';

/** An archive that leads from one bundle to another, kept because it is asked for again. It can be made anew any time. */
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

  /** Until then somebody is making it. */
  @TimeColumn()
  claimedUntil!: Date;

  @CreatedAtColumn()
  createdAt!: Date;
}
