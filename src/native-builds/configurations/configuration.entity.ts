import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { User } from '../../accounts/users/user.entity.js';
import { App } from '../../apps/apps/app.entity.js';
import { type BuildFormFactor, buildFormFactors } from '../../common/build-numbers.js';
import { EnumColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';

export const CONFIGURATIONS_NAME_KEY = 'configurations_app_id_name_lower_key';

/** What builds overwrite in the native projects of an app. */
@Entity('configurations')
@Check('configurations_build_number_check', `build_number ~ '^(ci|store|[1-9][0-9]{0,9})$'`)
@Check('configurations_build_number_offset_check', 'build_number_offset BETWEEN 1 AND 2099999999')
@Unique(CONFIGURATIONS_NAME_KEY, ['appId', 'nameLower'])
export class Configuration extends Row {
  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  @Column('text')
  name!: string;

  /** The name as it is compared: see `nameKey`. */
  @Column('text')
  nameLower!: string;

  /** What the app is called on devices; `null`: as in the project. */
  @Column('text', { nullable: true })
  displayName!: string | null;

  /** The Android application id or iOS bundle id; `null`: as in the project. */
  @Column('text', { nullable: true })
  packageName!: string | null;

  /** What users see as the version; `null`: as in the project. */
  @Column('text', { nullable: true })
  versionName!: string | null;

  /**
   * The Android version code or iOS build number in digits; `ci`: the number of the build; `store`: one more than the store
   * has; `null`: as in the project.
   */
  @Column('text', { nullable: true })
  buildNumber!: string | null;

  /** Numbers from the store begin above it; `null`: with 1. */
  @Column('integer', { nullable: true })
  buildNumberOffset!: number | null;

  /** The devices whose numbers in the store count; `null`: as the track of the build's destination says. */
  @EnumColumn(buildFormFactors, { nullable: true })
  formFactor!: BuildFormFactor | null;

  /** `null`: the user was deleted. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => User, { onDelete: 'SET NULL' })
  createdByUserId!: string | null;

  /** `null`: the user was deleted. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => User, { onDelete: 'SET NULL' })
  updatedByUserId!: string | null;
}
