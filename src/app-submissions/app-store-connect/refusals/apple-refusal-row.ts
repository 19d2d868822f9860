import type { RefusalRow } from '../../calls/refusals/refusal-row.js';

/** Which call of App Store Connect was refused. */
export type AppleCall =
  | 'app'
  | 'read'
  | 'build'
  | 'create-upload'
  | 'create-file'
  | 'mark-uploaded'
  | 'delete-upload'
  | 'part'
  | 'compliance'
  | 'notes'
  | 'beta-review'
  | 'group'
  | 'version'
  | 'create-version'
  | 'edit-version'
  | 'attach-build'
  | 'whats-new'
  | 'phased-release'
  | 'release-version'
  | 'review'
  | 'create-review'
  | 'add-item'
  | 'remove-item'
  | 'submit-review'
  | 'cancel-review';

/** What the call is, in a sentence. */
export const APPLE_CALLS: Readonly<Record<AppleCall, string>> = {
  app: 'a question about the app',
  read: 'a question',
  build: 'a question about the build',
  'create-upload': 'a new upload of a build',
  'create-file': 'the announcement of the file',
  'mark-uploaded': 'the end of the upload',
  'delete-upload': 'the deletion of the upload',
  part: 'a part of the file',
  compliance: 'the answer about encryption',
  notes: 'the notes for testers',
  'beta-review': 'the beta review',
  group: 'the TestFlight group',
  version: 'a question about the version',
  'create-version': 'a new version',
  'edit-version': 'the settings of the version',
  'attach-build': 'the build of the version',
  'whats-new': "What's New of the version",
  'phased-release': 'the phased release',
  'release-version': 'the release of the version',
  review: 'a question about the review',
  'create-review': 'a new review submission',
  'add-item': 'the version in the review submission',
  'remove-item': 'the removal from the review submission',
  'submit-review': 'the start of the review',
  'cancel-review': 'the end of the review',
};

/** How a refusal of App Store Connect is recognized, and what it means. */
export interface AppleRefusalRow extends Omit<RefusalRow, 'also'> {
  /** The calls that get it; absent: any. */
  readonly calls?: readonly AppleCall[];
  /** The code of one error is one of these, or begins with it and a dot. */
  readonly codes?: readonly string[];
  /** One of these is in the words of the same error, ignoring case. */
  readonly fragments?: readonly string[];
  /** The same error is about this member of the request. */
  readonly pointer?: string;
  /** At most 255 characters: the number of further problems may follow. A function takes what the errors say. */
  readonly sentence: string | ((said: string) => string);
}
