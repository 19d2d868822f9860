import type { TestApp } from '../../builders/app.js';
import {
  createDestination as createDraftDestination,
  type TestDestination,
} from '../../builders/destination.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { createAppleKey } from '../../builders/store-key.js';
import { createFinishedBuild, type FinishedFile } from '../native-builds/finished-builds.js';

/** What tests read of a deployment to a destination. */
export interface StoreDeployment {
  readonly id: string;
  readonly jobId: string;
}

/** A destination in Google Play whose releases go to all users. @param values `null`: not set */
export function createDestination(app: TestApp, values: object = {}): Promise<TestDestination> {
  return createDraftDestination(app, {
    androidReleaseStatus: 'completed',
    ...('platform' in values ? { appGoogleServiceAccountKeyId: null } : {}),
    ...values,
  });
}

/** A destination in App Store Connect that submissions can go to. @param values `null`: not set */
export async function createAppleDestination(app: TestApp, values: object = {}): Promise<TestDestination> {
  return createDestination(app, {
    platform: 'ios',
    androidPackageName: null,
    googlePlayTrack: null,
    androidReleaseStatus: null,
    ...('appAppleApiKeyId' in values ? {} : { appAppleApiKeyId: await createAppleKey(app) }),
    appleApiKeyId: '2X9R4HXF34',
    appleIssuerId: '57246542-96fe-1a63-e053-0824d011072a',
    ...values,
  });
}

/** Of an upload key. */
export const UPLOAD_KEY = { subject: 'CN=Upload key', sha256: Array(32).fill('AB').join(':') };

/** A file that Google Play would take. @param details what it says otherwise */
export function releaseFile(
  details: FinishedFile['details'] = {},
  type: 'aab' | 'apk' = 'aab',
): FinishedFile {
  return { type, details: { versionName: '1.4.0', versionCode: '42', signer: UPLOAD_KEY, ...details } };
}

/** A build that can be submitted. @param values further columns of the build @returns its id */
export async function createReleaseBuild(
  app: TestApp,
  details: FinishedFile['details'] = {},
  values: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  return (await createFinishedBuild(app, [releaseFile(details)], values)).id;
}

/** An ipa that App Store Connect would take. @param details what it says otherwise */
export function releaseIpa(details: FinishedFile['details'] = {}): FinishedFile {
  return {
    type: 'ipa',
    details: {
      versionName: '1.4.0',
      versionCode: '42',
      applePlatform: 'ios',
      usesNonExemptEncryption: false,
      profileType: 'app-store',
      teamId: 'AB12CD34EF',
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      profileBundleId: 'com.example.app',
      ...details,
    },
  };
}

/** A build for iOS that can be submitted. @returns its id */
export async function createIpaBuild(app: TestApp, details: FinishedFile['details'] = {}): Promise<string> {
  return (await createFinishedBuild(app, [releaseIpa(details)], { platform: 'ios' })).id;
}

/** Ends the submission of a deployment with its job, as the store would. */
export async function endSubmission(
  { id, jobId }: StoreDeployment,
  state: 'prepared' | 'failed',
): Promise<void> {
  const { databaseUrl } = testEnvironment();
  await query(databaseUrl, 'UPDATE submissions SET state = $2 WHERE id = $1', [id, state]);
  for (const [status, finishedAt] of [
    ['in_progress', null],
    [state === 'prepared' ? 'succeeded' : 'failed', new Date()],
  ]) {
    const text = 'UPDATE jobs SET status = $2, finished_at = $3 WHERE id = $1';
    await query(databaseUrl, text, [jobId, status, finishedAt]);
  }
}
