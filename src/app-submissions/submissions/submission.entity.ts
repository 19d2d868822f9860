import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { User } from '../../accounts/users/user.entity.js';
import { App } from '../../apps/apps/app.entity.js';
import { type ApplePlatform, applePlatforms } from '../../common/apple-platforms.js';
import { EnumColumn, isOneOf, TimeColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';
import { Job } from '../../jobs/jobs/job.entity.js';
import {
  type AndroidReleaseStatus,
  androidReleaseStatuses,
  type AppleReleaseType,
  appleReleaseTypes,
  Destination,
  type DestinationType,
  destinationTypes,
} from '../destinations/destination.entity.js';

export const openSubmissionStates = ['created', 'preprocessing', 'preparing'] as const;
export const finalSubmissionStates = [
  'prepared',
  'failed',
  'failed_with_action_required',
  'finished_manually',
] as const;
/**
 * They are never statuses of jobs: clients of the API know only those of jobs. Success is `prepared`: the store has what was
 * submitted. `failed_with_action_required` is one, too, after which a person has to go on in the store, and
 * `finished_manually` says that one has.
 */
export const submissionStates = [...openSubmissionStates, ...finalSubmissionStates] as const;
export type SubmissionState = (typeof submissionStates)[number];

/**
 * What a submission does in a store: `submit` uploads a file and makes a release of it, `promote` makes a release of a file
 * that the store has. The others change a release: see `releaseId`.
 */
export const submissionActions = ['submit', 'promote', 'set-rollout', 'release', 'withdraw'] as const;
export type SubmissionAction = (typeof submissionActions)[number];
/** The changes of a release among them. */
export const releaseActions = ['set-rollout', 'release', 'withdraw'] as const;
export type ReleaseAction = (typeof releaseActions)[number];

/** Why a submission waits that has to be approved: `waitsFor` of its row. */
export const APPROVALS = 'approvals';

export const OPEN_ACTION_KEY = 'submissions_open_action_key';

/** A condition of SQL on rows of `submissions`: its job has not ended. */
export const OPEN_SUBMISSIONS = isOneOf('state', openSubmissionStates);

export const submittedArtifactTypes = ['aab', 'apk', 'ipa'] as const;
export type SubmittedArtifactType = (typeof submittedArtifactTypes)[number];

/** A file that goes to the store with the app: `proguard` is the mapping of R8, `nativeCode` a zip of native symbols. */
export interface SymbolFile {
  readonly type: 'proguard' | 'nativeCode';
  /** Its path in the zip, which may lack it. */
  readonly path: string;
  /** Of the zip with the symbols of the build. */
  readonly artifactId: string;
  /** The zip. */
  readonly blobId: string;
  /** Of the zip. */
  readonly sizeInBytes: number;
}

/**
 * Work in a store. A build on its way there is under the id of its deployment; a change of a release names that one with
 * `releaseId`. See docs/app-submissions.md for its states.
 */
@Entity('submissions')
@Index(['appId', 'packageName', 'id'])
@Index(['releaseId'])
@Index(OPEN_ACTION_KEY, ['releaseId'], {
  unique: true,
  where: `release_id IS NOT NULL AND ${OPEN_SUBMISSIONS}`,
})
@Index('submissions_open_idx', ['appId'], { where: OPEN_SUBMISSIONS })
@Index('submissions_artifact_idx', ['artifactId'], { where: OPEN_SUBMISSIONS })
@Index('submissions_action_required_idx', ['packageName', 'track'], {
  where: `state = 'failed_with_action_required'`,
})
@Index('submissions_waits_for_idx', ['waitsFor', 'waitingSince'], { where: 'waits_for IS NOT NULL' })
@Check(
  'submissions_user_fraction_check',
  `user_fraction >= 0 AND user_fraction <= 1 AND (user_fraction > 0 OR action = 'set-rollout')`,
)
@Check('submissions_in_app_update_priority_check', `in_app_update_priority BETWEEN 0 AND 5`)
@Check('submissions_sealed_upload_check', `sealed_upload LIKE 'v1.%'`)
@Check('submissions_release_id_check', `(release_id IS NULL) = (action IN ('submit', 'promote'))`)
@Check('submissions_waits_for_check', `(waits_for IS NULL) = (waiting_since IS NULL)`)
export class Submission extends Row {
  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  @Index()
  @Column('uuid')
  @ForeignKey(() => Destination, { onDelete: 'CASCADE' })
  destinationId!: string;

  @Index()
  @Column('uuid')
  @ForeignKey(() => Job, { onDelete: 'CASCADE' })
  jobId!: string;

  @EnumColumn(submissionActions, { default: 'submit' })
  action!: SubmissionAction;

  /** The submission whose release it changes, which has the id of its deployment; `null`: it makes a release of its own. */
  @Column('uuid', { nullable: true })
  @ForeignKey(() => Submission, { onDelete: 'CASCADE' })
  releaseId!: string | null;

  /** `null`: a plan or an automation, or the user was deleted. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => User, { onDelete: 'SET NULL' })
  createdByUserId!: string | null;

  @EnumColumn(destinationTypes)
  type!: DestinationType;

  @EnumColumn(submissionStates, { default: 'created' })
  state!: SubmissionState;

  /** One sentence about the state; `null`: there is nothing to say. */
  @Column('text', { nullable: true })
  message!: string | null;

  /** Where a person continues; `null`: there is nothing to do. */
  @Column('text', { nullable: true })
  link!: string | null;

  /** Why the store has refused it for good, in its words; `null`: it has not, or said nothing. */
  @Column('text', { nullable: true })
  storeMessage!: string | null;

  // What is submitted, as the API has read it from the file.

  @Column('text')
  packageName!: string;

  @Column('text', { nullable: true })
  versionName!: string | null;

  @Column('text')
  versionCode!: string;

  /** Of the certificate that signed the file, in lower-case hexadecimal. */
  @Column('text', { nullable: true })
  signerSha256!: string | null;

  /** Without a foreign key, because artifacts are of an area that this one does not know. An open submission holds it. */
  @Column('uuid')
  artifactId!: string;

  @EnumColumn(submittedArtifactTypes)
  artifactType!: SubmittedArtifactType;

  @Column('uuid')
  blobId!: string;

  @Column('bigint')
  sizeInBytes!: number;

  /** Of the file, in lower-case hexadecimal. */
  @Column('text')
  sha256!: string;

  @Column('jsonb', { default: () => "'[]'" })
  symbolFiles!: SymbolFile[];

  // How, as the destination and the request said.

  @Column('text', { nullable: true })
  track!: string | null;

  @EnumColumn(androidReleaseStatuses, { nullable: true })
  releaseStatus!: AndroidReleaseStatus | null;

  /** Share of users that get a staged release; 1: all. With the action `set-rollout` the new share; 0 stops it. */
  @Column('double precision', { default: 1 })
  userFraction!: number;

  /** By locale; `default` is for the default language. */
  @Column('jsonb', { nullable: true })
  releaseNotes!: Record<string, string> | null;

  @Column('smallint', { nullable: true })
  inAppUpdatePriority!: number | null;

  /** Whether the submission may cancel a review that runs. */
  @Column('boolean', { default: false })
  cancelsReview!: boolean;

  /** TestFlight groups by name; of App Store Connect. */
  @Column('text', { array: true, default: () => "'{}'" })
  betaGroups!: string[];

  /** The answer about export compliance; `null`: another store. */
  @Column('boolean', { nullable: true })
  usesNonExemptEncryption!: boolean | null;

  /** What the app runs on; `null`: another store. */
  @EnumColumn(applePlatforms, { nullable: true })
  applePlatform!: ApplePlatform | null;

  /** Whether it goes to the review of the App Store. */
  @Column('boolean', { default: false })
  submitsForReview!: boolean;

  /** Whether it takes a version out of the review of the App Store that waits there. */
  @Column('boolean', { default: false })
  rejectsIfPossible!: boolean;

  /** When the version goes live that the App Store has approved; `null`: another store, or it goes to no review. */
  @EnumColumn(appleReleaseTypes, { nullable: true })
  appleReleaseType!: AppleReleaseType | null;

  /** Whether users of the App Store get the version over seven days. */
  @Column('boolean', { default: false })
  isPhased!: boolean;

  /** With the release type `scheduled`: when the version goes live at the earliest, a whole hour. */
  @TimeColumn({ nullable: true })
  earliestReleaseAt!: Date | null;

  // Where it is.

  /** The step of its store that is next. */
  @Column('text')
  step!: string;

  /** How often the step was tried again after a failure. Giving way, and tasks that the queue repeats, do not count. */
  @Column('integer', { default: 0 })
  stepAttempts!: number;

  /** What the store has given: ids, languages. Each store has a type for it. */
  @Column('jsonb', { default: () => "'{}'" })
  external!: Record<string, unknown>;

  /** Where the bytes go, as `SecretBox` sealed it for the context `submissions:<id>`: such addresses need no other key. */
  @Column('text', { nullable: true, select: false })
  sealedUpload!: string | null;

  @Column('bigint', { default: 0 })
  sentBytes!: number;

  /**
   * When a call that cannot be undone was about to be sent (a commit, the end of an upload, a review, a change of a release): the
   * job cannot be canceled since, and a later run asks whether the call has arrived. `null`: no such call is open.
   */
  @TimeColumn({ nullable: true })
  commitSentAt!: Date | null;

  /** What it waits for: `approvals`, or the key of a turn, a track or a quota of the store; `null`: nothing. */
  @Column('text', { nullable: true })
  waitsFor!: string | null;

  @TimeColumn({ nullable: true })
  waitingSince!: Date | null;
}
