import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../database/schema/columns.js';
import { Bundle } from '../bundles/bundle.entity.js';

/** Says that retention has found nothing that needs a bundle, each time since. */
@Entity('bundle_expirations')
export class BundleExpiration {
  @PrimaryColumn('uuid')
  @ForeignKey(() => Bundle, { onDelete: 'CASCADE' })
  bundleId!: string;

  @Index()
  @TimeColumn()
  unneededSince!: Date;
}
