import type { TestApp } from '../../builders/app.js';
import { eventually } from '../eventually.js';
import { expectCreated } from '../http/expect-created.js';
import { form, send } from '../http/multipart.js';
import { readJob, type TestJob, type TestJobLog } from '../jobs/leases.js';
import { type AabDescription, makeAab } from '../native-builds/aab-writer.js';
import { importFile } from '../native-builds/imports.js';
import type { ServiceAccountKey } from '../stores/google-play/service-accounts.js';
import { uniqueName } from '../unique-name.js';

/** What the API says about a submission to a store. */
export interface SubmissionView {
  readonly state: string;
  readonly message: string | null;
  readonly link: string | null;
  readonly storeIds: Readonly<Record<string, string>>;
  readonly track: string | null;
  readonly versionCode: string;
}

/** A deployment to a destination. */
export interface TestSubmission {
  readonly id: string;
  readonly jobId: string;
  readonly appBuildId: string;
  readonly appDestinationId: string;
  readonly submission: SubmissionView;
}

type EndedJob = TestJob & { readonly jobLogs: readonly TestJobLog[]; readonly statusMessage: string | null };

/** Uploads a key of the stand-in for Google Play. @returns its id */
export async function uploadPlayKey(app: TestApp, { json }: ServiceAccountKey): Promise<string> {
  const file = form([{ name: 'file', content: json, filename: 'service-account.json' }]);
  const response = await send(app.api, 'post', `${app.path}/google-service-account-keys`, file);
  return expectCreated<{ id: string }>(response).id;
}

/** A destination at the stand-in for Google Play whose releases go to all users at once. @returns its id */
export async function createPlayDestination(
  app: TestApp,
  key: ServiceAccountKey | string,
  fields: object = {},
): Promise<string> {
  const response = await app.api.post(`${app.path}/destinations`, {
    name: uniqueName('destination'),
    platform: 'android',
    androidPackageName: 'com.example.app',
    androidReleaseStatus: 'completed',
    googlePlayTrack: 'internal',
    appGoogleServiceAccountKeyId: typeof key === 'string' ? key : await uploadPlayKey(app, key),
    ...fields,
  });
  return expectCreated<{ id: string }>(response).id;
}

/** Imports an aab that is signed. @returns the id of its build */
export async function importAab(app: TestApp, values: AabDescription = {}): Promise<string> {
  const bytes = await makeAab({ signed: true, ...values });
  const { id, job } = await importFile(app, bytes, { artifact: { type: 'aab', fileName: 'app.aab' } });
  expect([job.status, job['statusMessage']]).toEqual(['succeeded', null]);
  return id;
}

/** Submits a build. @param body `appBuildId`, `appDestinationId` and others */
export async function submit(app: TestApp, body: object): Promise<TestSubmission> {
  return expectCreated<TestSubmission>(await app.api.post(`${app.path}/deployments`, body));
}

export async function readSubmission(app: TestApp, { id }: { readonly id: string }): Promise<TestSubmission> {
  const { status, body } = await app.api.get(`${app.path}/deployments/${id}`);
  expect(status).toBe(200);
  return body as TestSubmission;
}

/** The job of a submission with its log, when it has ended. */
export function endOfSubmission(
  app: TestApp,
  { jobId }: { readonly jobId: string },
  patience?: number,
): Promise<EndedJob> {
  return eventually(async () => {
    const job = (await readJob(app, jobId)) as EndedJob;
    expect(job['finishedAt']).not.toBeNull();
    return job;
  }, patience);
}
