import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { User } from '../../accounts/users/user.entity.js';
import { App } from '../../apps/apps/app.entity.js';
import type { FreezeWindow } from '../../common/freezes/freeze-window.js';
import { EnumColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';
import { StoreKey } from '../store-keys/store-key.entity.js';

export const destinationPlatforms = ['android', 'ios'] as const;
export type DestinationPlatform = (typeof destinationPlatforms)[number];

export const destinationTypes = [
  'apple-app-store-connect',
  'google-play',
  'firebase-app-distribution',
  'huawei-appgallery',
] as const;
export type DestinationType = (typeof destinationTypes)[number];

export const androidArtifactTypes = ['aab', 'apk'] as const;
export type AndroidArtifactType = (typeof androidArtifactTypes)[number];

export const androidReleaseStatuses = ['draft', 'completed'] as const;
export type AndroidReleaseStatus = (typeof androidReleaseStatuses)[number];

export const appleReleaseTypes = ['after-approval', 'manual', 'scheduled'] as const;
export type AppleReleaseType = (typeof appleReleaseTypes)[number];

/** TestFlight groups of one destination: a limit of Slipway. Apple documents none. */
export const MAX_BETA_GROUPS = 20;

export const DESTINATIONS_NAME_KEY = 'destinations_app_id_platform_name_lower_key';

/** A place in a store that builds go to: an app there, a track, and how to sign in. */
@Entity('destinations')
@Unique(DESTINATIONS_NAME_KEY, ['appId', 'platform', 'nameLower'])
@Check('destinations_required_approvals_check', `required_approvals BETWEEN 0 AND 5`)
@Check('destinations_sealed_apple_app_password_check', `sealed_apple_app_password LIKE 'v1.%'`)
@Check('destinations_sealed_huawei_client_secret_check', `sealed_huawei_client_secret LIKE 'v1.%'`)
export class Destination extends Row {
  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  @Column('text')
  name!: string;

  /** The name as it is compared: see `nameKey`. */
  @Column('text')
  nameLower!: string;

  @EnumColumn(destinationPlatforms)
  platform!: DestinationPlatform;

  @EnumColumn(destinationTypes)
  type!: DestinationType;

  /** The locale of the notes that are given as `default`; `null`: the default language of the app in the store. */
  @Column('text', { nullable: true })
  defaultLanguage!: string | null;

  @Column('text', { nullable: true })
  androidPackageName!: string | null;

  @EnumColumn(androidArtifactTypes, { default: 'aab' })
  androidBuildArtifactType!: AndroidArtifactType;

  @EnumColumn(androidReleaseStatuses, { default: 'draft' })
  androidReleaseStatus!: AndroidReleaseStatus;

  /** Such as `internal`, `production`, `wear:production` or the name of a closed track. */
  @Column('text', { nullable: true })
  googlePlayTrack!: string | null;

  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => StoreKey)
  googleKeyId!: string | null;

  @Column('text', { nullable: true })
  appleTeamId!: string | null;

  @Column('text', { nullable: true })
  appleId!: string | null;

  /** Apple's numeric id of the app. */
  @Column('text', { nullable: true })
  appleAppId!: string | null;

  /** As `SecretBox` sealed it for the context `destinations:<id>`. */
  @Column('text', { nullable: true, select: false })
  sealedAppleAppPassword!: string | null;

  /** The uploaded `.p8`. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => StoreKey)
  appleKeyFileId!: string | null;

  @Column('text', { nullable: true })
  appleApiKeyId!: string | null;

  @Column('text', { nullable: true })
  appleIssuerId!: string | null;

  /** TestFlight groups by name. */
  @Column('text', { array: true, default: () => "'{}'" })
  appleBetaGroups!: string[];

  @Column('boolean', { default: false })
  appleSubmitForReview!: boolean;

  @Column('boolean', { default: false })
  appleRejectIfPossible!: boolean;

  /** When a version goes live that the review has approved; `null`: `manual`. */
  @EnumColumn(appleReleaseTypes, { nullable: true })
  appleReleaseType!: AppleReleaseType | null;

  /** Whether users get a version over seven days. */
  @Column('boolean', { default: false })
  applePhasedRelease!: boolean;

  /** The answer about export compliance for files whose Info.plist has none; `null`: there is no answer. */
  @Column('boolean', { nullable: true })
  appleUsesNonExemptEncryption!: boolean | null;

  @Column('text', { nullable: true })
  firebaseAppId!: string | null;

  @Column('text', { array: true, default: () => "'{}'" })
  firebaseTesterGroups!: string[];

  @Column('text', { nullable: true })
  huaweiAppId!: string | null;

  @Column('text', { nullable: true })
  huaweiClientId!: string | null;

  /** As `sealedAppleAppPassword`. */
  @Column('text', { nullable: true, select: false })
  sealedHuaweiClientSecret!: string | null;

  /** People other than its creator who must approve a deployment before it is submitted. */
  @Column('smallint', { default: 0 })
  requiredApprovals!: number;

  @Column('jsonb', { default: [] })
  freezeWindows!: FreezeWindow[];

  /** Patterns of the only branches and tags from which automations may send builds; empty: all are allowed. */
  @Column('text', { array: true, default: () => "'{}'" })
  allowedRefs!: string[];

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
