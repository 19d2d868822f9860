import type { TestApp } from '../../builders/app.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { expectCreated } from '../http/expect-created.js';
import { form, send } from '../http/multipart.js';
import { createFinishedBuild, type FinishedFile } from '../native-builds/finished-builds.js';
import { uniqueName } from '../unique-name.js';
import { ServiceAccounts } from './google-play/service-accounts.js';

/** What tests read of a deployment to a destination. */
export interface StoreDeployment {
  readonly id: string;
  readonly jobId: string;
}

/** Stores know nothing of these accounts. */
const accounts = new ServiceAccounts();

/** Uploads a service-account key. @returns its id */
export async function uploadServiceAccountKey(app: TestApp): Promise<string> {
  const { json } = accounts.add();
  const file = form([{ name: 'file', content: json, filename: 'service-account.json' }]);
  const response = await send(app.api, 'post', `${app.path}/google-service-account-keys`, file);
  return expectCreated<{ id: string }>(response).id;
}

/** A destination in Google Play whose releases go to all users. @param values `null`: not set */
export async function createDestination(
  app: TestApp,
  values: object = {},
): Promise<{ id: string; name: string }> {
  const isComplete = !('appGoogleServiceAccountKeyId' in values) && !('platform' in values);
  const key = isComplete ? { appGoogleServiceAccountKeyId: await uploadServiceAccountKey(app) } : {};
  return expectCreated(
    await app.api.post(`${app.path}/destinations`, {
      name: uniqueName('destination'),
      platform: 'android',
      androidPackageName: 'com.example.app',
      androidReleaseStatus: 'completed',
      googlePlayTrack: 'internal',
      ...key,
      ...values,
    }),
  );
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
