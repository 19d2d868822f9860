import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { App } from '../../apps/apps/app.entity.js';
import { CreatedAtColumn } from '../../database/schema/columns.js';

/**
 * The manifest of a bundle in the form in which devices may have it, as it was uploaded. It stays when the bundle is
 * deleted, because devices may still run it.
 */
@Entity('plain_manifests')
export class PlainManifest {
  /** Without foreign key on purpose. */
  @PrimaryColumn('uuid')
  bundleId!: string;

  @Index()
  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  /** Number of its build, for messages. */
  @Column('integer')
  buildNumber!: number;

  /** Whether devices are offered the bundle with this manifest: that of a signed bundle cannot be changed. */
  @Column('boolean')
  offered!: boolean;

  /** JSON of `[href, sha256][]`, in Brotli. */
  @Column('bytea')
  files!: Buffer;

  @CreatedAtColumn()
  createdAt!: Date;
}
