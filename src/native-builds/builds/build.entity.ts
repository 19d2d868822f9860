import { Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { App } from '../../apps/apps/app.entity.js';
import { EnumColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';

export const buildPlatforms = ['android', 'ios', 'web'] as const;
export type BuildPlatform = (typeof buildPlatforms)[number];

/** One build of an app: the web build of a live update, or a native build. */
@Entity('builds')
@Unique(['appId', 'number'])
@Index(['appId', 'createdAt', 'id'])
export class Build extends Row {
  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  /** Sequential per app, from 1. */
  @Column('integer')
  number!: number;

  @EnumColumn(buildPlatforms)
  platform!: BuildPlatform;

  /** Such as `debug` or `app-store`; `null` for web builds. */
  @Column('text', { nullable: true })
  type!: string | null;

  /** Branch, tag or commit that was built. */
  @Column('text', { nullable: true })
  gitRef!: string | null;

  @Column('text', { nullable: true })
  gitCommitMessage!: string | null;

  @Column('text', { nullable: true })
  gitCommitRef!: string | null;

  @Column('text', { nullable: true })
  gitCommitSha!: string | null;

  @Column('text', { nullable: true })
  displayName!: string | null;

  @Column('text', { nullable: true })
  packageName!: string | null;

  @Column('text', { nullable: true })
  packageVersion!: string | null;

  /** Up to ten key-value pairs that devices receive with the bundle. */
  @Column('jsonb', { nullable: true })
  customProperties!: Record<string, string> | null;

  /** Native versions that may receive the build: at least … */
  @Column('text', { nullable: true })
  minAndroidAppVersionCode!: string | null;

  /** … at most … */
  @Column('text', { nullable: true })
  maxAndroidAppVersionCode!: string | null;

  /** … and not this one, whose binary already contains the code. */
  @Column('text', { nullable: true })
  eqAndroidAppVersionCode!: string | null;

  @Column('text', { nullable: true })
  minIosAppVersionCode!: string | null;

  @Column('text', { nullable: true })
  maxIosAppVersionCode!: string | null;

  @Column('text', { nullable: true })
  eqIosAppVersionCode!: string | null;

  @Column('text', { nullable: true })
  minElectronAppVersionCode!: string | null;

  @Column('text', { nullable: true })
  maxElectronAppVersionCode!: string | null;

  @Column('text', { nullable: true })
  eqElectronAppVersionCode!: string | null;
}
