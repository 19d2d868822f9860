import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../database/schema/columns.js';
import { Bundle } from '../bundles/bundle.entity.js';

/**
 * Whether the manifest of a published bundle was compared with the others of its app. No row: an earlier version has
 * published it, and `ManifestBackfillsService` has not come to it yet.
 */
@Entity('manifest_comparisons')
export class ManifestComparison {
  @PrimaryColumn('uuid')
  @ForeignKey(() => Bundle, { onDelete: 'CASCADE' })
  bundleId!: string;

  /** `false`: it could not be read. */
  @Column('boolean')
  compared!: boolean;

  /** When the background job last tried to read it, or to make its named manifest; `null`: never. */
  @TimeColumn({ nullable: true })
  attemptedAt!: Date | null;
}
