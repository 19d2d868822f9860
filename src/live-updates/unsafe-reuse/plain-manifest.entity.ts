import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { App } from '../../apps/apps/app.entity.js';
import { CreatedAtColumn, TimeColumn } from '../../database/schema/columns.js';

/**
 * The manifest of a bundle in the form in which devices may have it, as it was uploaded. It stays when the bundle is
 * deleted, because devices may still run it: while one reports it or `lastReportedAt` is set, for `ACTIVE_DEVICE_DAYS`
 * without both, and of an app the newest 1,000. Those of another server's bundles are imported.
 */
@Entity('plain_manifests')
export class PlainManifest {
  @PrimaryColumn('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  /** Without foreign key on purpose. */
  @PrimaryColumn('uuid')
  bundleId!: string;

  /** Number of its build, for messages; `null`: the bundle is of another server. */
  @Column('integer', { nullable: true })
  buildNumber!: number | null;

  /** Whether devices are offered the bundle with this manifest: that of a signed bundle cannot be changed. */
  @Column('boolean')
  offered!: boolean;

  /** JSON of `[href, sha256][]`, in Brotli. */
  @Column('bytea')
  files!: Buffer;

  /**
   * What devices that run an offered bundle have instead, in the same form: the manifest beside its `index.html`, if that is
   * not at the root, or none. `null`: they have `files`.
   */
  @Column('bytea', { nullable: true })
  carried!: Buffer | null;

  /**
   * When a device last reported the bundle of which the row was deleted since, to a day: the device may come back, and still
   * have the files. `null`: there was none. Written by the trigger `keep_last_reports` of `devices`.
   */
  @TimeColumn({ nullable: true })
  lastReportedAt!: Date | null;

  /** Since when the bundle is deleted and no device may run it, as far as retention has noticed; `null`: not so. */
  @TimeColumn({ nullable: true })
  unneededSince!: Date | null;

  @CreatedAtColumn()
  createdAt!: Date;
}
