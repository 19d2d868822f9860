import assert from 'node:assert/strict';
import { makeIpa } from '../../test/support/native-builds/ipa-writer.ts';
import type { ApiKeyFile } from '../../test/support/stores/app-store-connect/api-keys.ts';
import type { AppStoreConnect } from '../../test/support/stores/app-store-connect/app-store-connect.ts';
import type { Api } from './api.ts';
import { deploy } from './deploy.ts';
import { importFile } from './import.ts';
import { bytes, fact, step } from './print.ts';

const BUNDLE_ID = 'com.example.shop';
const TEAM = 'A1B2C3D4E5';

/**
 * A submission, from an API key to the testers, and one whose file Apple refuses.
 *
 * @throws Error when anything is not as it should be
 */
export async function submitToTestFlight(api: Api, apple: AppStoreConnect): Promise<void> {
  const key = prepareAppStoreConnect(apple);
  const { appPath, destinationId } = await prepareSlipway(api, key);
  const notes = { default: 'Faster start.', 'de-DE': 'Startet schneller.' };

  step('Version 1.4.0 (42) goes to the team and to testers');
  const first = await importIpa(api, appPath, '42');
  const request = { appBuildId: first, appDestinationId: destinationId, releaseNotes: notes };
  const { deployment, job } = await deploy(api, appPath, request);
  assert.equal(job.status, 'succeeded', 'the job succeeds');
  assert.equal(deployment.submission.state, 'prepared', 'the submission is prepared');
  fact(`the job succeeded, the submission is ${deployment.submission.state}`);

  step('What App Store Connect has');
  const [build, ...others] = apple.buildsOf(BUNDLE_ID);
  assert.ok(build, 'there is a build');
  assert.equal(others.length, 0, 'there is exactly one build');
  fact(`build ${build.version} (${build.buildNumber}), ${build.internalState}, ${build.externalState}`);
  fact(`groups: ${build.groups.join(', ')}`);
  for (const [locale, text] of Object.entries(build.notes)) fact(`notes ${locale}: ${text}`);
  assert.deepEqual(apple.storage.leaks, [], 'the storage of Apple got no token');
  const requests = await api.get<unknown[]>(`${appPath}/deployments/${deployment.id}/requests?limit=100`);
  fact(`${requests.length} calls of the store are recorded`);

  step('Apple refuses the file of build 43');
  apple.failProcessing([90683]);
  const second = await importIpa(api, appPath, '43');
  const refused = await deploy(api, appPath, { appBuildId: second, appDestinationId: destinationId });
  assert.equal(refused.job.status, 'failed', 'the job fails');
  assert.equal(apple.buildsOf(BUNDLE_ID).length, 1, 'there is no other build');
  fact(`the submission ${refused.deployment.submission.state}: ${refused.deployment.submission.message}`);
}

function prepareAppStoreConnect(apple: AppStoreConnect): ApiKeyFile {
  step('An app in App Store Connect with two groups of testers, and an API key');
  const app = apple.addApp({
    bundleId: BUNDLE_ID,
    name: 'Shop',
    locales: ['de-DE'],
    groups: { Team: 'internal', Testers: 'external' },
  });
  const key = apple.addKey({ role: 'APP_MANAGER' });
  // Without a wait: the next read after the delivery finds a processed file.
  apple.processing.polls = 0;
  fact(`${BUNDLE_ID} is the app ${app.id}; the key ${key.keyId} is one of its team`);
  return key;
}

async function prepareSlipway(
  api: Api,
  { keyId, issuerId, p8 }: ApiKeyFile,
): Promise<{ appPath: string; destinationId: string }> {
  step('An app in Slipway, the key, and a destination');
  const app = await api.post<{ id: string }>('/v1/apps', { name: 'Shop' });
  const appPath = `/v1/apps/${app.id}`;
  const form = new FormData();
  form.set('file', new Blob([p8]), `AuthKey_${keyId}.p8`);
  const key = await api.post<{ id: string }>(`${appPath}/apple-api-keys`, form);
  const destination = await api.post<{ id: string; name: string }>(`${appPath}/destinations`, {
    name: 'TestFlight',
    platform: 'ios',
    appleTeamId: TEAM,
    appAppleApiKeyId: key.id,
    appleApiKeyId: keyId,
    appleIssuerId: issuerId,
    appleBetaGroups: ['Team', 'Testers'],
    appleUsesNonExemptEncryption: false,
  });
  fact(`destination ${destination.name}: ${destination.id}`);
  return { appPath, destinationId: destination.id };
}

/** An ipa for the App Store as another CI would build it. @returns its build */
async function importIpa(api: Api, appPath: string, buildNumber: string): Promise<string> {
  const file = await makeIpa({
    packageName: BUNDLE_ID,
    versionName: '1.4.0',
    versionCode: buildNumber,
    label: 'Shop',
    profile: 'app-store',
    teamId: TEAM,
  });
  const build = await importFile(api, appPath, 'ipa', file);
  fact(`an ipa of build ${buildNumber}, ${bytes(file.length)}, is imported: build ${build}`);
  return build;
}
