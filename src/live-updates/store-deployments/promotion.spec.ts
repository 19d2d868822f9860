import type { PlayDestination } from './submittable-destination.js';
import { findPromotable, type PromotableSubmission } from './promotion.js';

const destination = {
  googlePlayTrack: 'production',
  androidPackageName: 'com.example.shop',
} as PlayDestination;
const SHA256 = 'ab'.repeat(32);
const submission = (values: Partial<PromotableSubmission> = {}): PromotableSubmission => ({
  artifactId: '01890a5d-ac96-774b-bcce-b302099a8057',
  artifactType: 'aab',
  blobId: '01890a5d-ac96-774b-bcce-b302099a8058',
  sizeInBytes: 1000,
  sha256: SHA256,
  packageName: 'com.example.shop',
  versionName: '1.4.0',
  versionCode: '42',
  signerSha256: 'cd'.repeat(32),
  track: 'internal',
  isOfBuild: true,
  ...values,
});
const find = (values: Partial<PromotableSubmission>, sha256: string | null = SHA256) =>
  findPromotable([submission(values)], destination, sha256);

it('is the file on another track, also of another build', () => {
  expect(find({})).not.toBeNull();
  expect(find({ isOfBuild: false })).not.toBeNull();
  expect(find({ track: 'production' })).toBeNull();
  expect(find({ packageName: 'com.example.other' })).toBeNull();
  expect(find({ sha256: 'ef'.repeat(32) })).toBeNull();
});

it('is what was submitted of the build, once its file is gone', () => {
  expect(find({ sha256: 'ef'.repeat(32) }, null)).not.toBeNull();
  expect(find({ isOfBuild: false }, null)).toBeNull();
  expect(find({ track: 'wear:internal' }, null)).toBeNull();
  const watch = { ...destination, googlePlayTrack: 'wear:production' };
  const watches = [submission(), submission({ track: 'wear:internal', versionCode: '43' })];
  expect(findPromotable(watches, watch, null)?.versionCode).toBe('43');
});

it('is the newest', () => {
  const newest = [submission({ track: 'beta' }), submission()];
  expect(findPromotable(newest, destination, SHA256)?.track).toBe('beta');
});
