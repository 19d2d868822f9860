import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { App } from '../../apps/apps/app.entity.js';
import { CreatedAtColumn, EnumColumn } from '../../database/schema/columns.js';
import { Bundle } from '../bundles/bundle.entity.js';

const kinds = ['content', 'absent'] as const;

/** A signed bundle that devices which run another one would build wrongly. They are not offered it. */
@Entity('unsafe_reuses')
export class UnsafeReuse {
  @PrimaryColumn('uuid')
  @ForeignKey(() => Bundle, { onDelete: 'CASCADE' })
  bundleId!: string;

  /** Without foreign key on purpose: devices may run a bundle that was deleted. */
  @PrimaryColumn('uuid')
  runningBundleId!: string;

  @Index()
  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  /** See `UnsafeReuseKind`. */
  @EnumColumn(kinds)
  kind!: (typeof kinds)[number];

  /** The first file that is affected. */
  @Column('text')
  href!: string;

  @CreatedAtColumn()
  createdAt!: Date;
}
