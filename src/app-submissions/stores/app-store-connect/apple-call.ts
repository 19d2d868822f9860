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
  | 'group';

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
};
