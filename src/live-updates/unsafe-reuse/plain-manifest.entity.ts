import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { App } from '../../apps/apps/app.entity.js';
import { CreatedAtColumn, TimeColumn } from '../../database/schema/columns.js';

/**
 * The manifest of a bundle in the form in which devices may have it, as it was uploaded. It stays when the bundle is
 * deleted, because devices may still run it: until none has for `RETENTION_DEVICE_DAYS`, and of an app the newest 1,000.
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

  /** Since when the bundle is deleted and no known device reports it, as far as retention has noticed; `null`: not so. */
  @TimeColumn({ nullable: true })
  unneededSince!: Date | null;

  @CreatedAtColumn()
  createdAt!: Date;
}
