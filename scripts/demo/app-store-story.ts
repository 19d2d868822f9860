import assert from 'node:assert/strict';
import { makeIpa } from '../../test/support/native-builds/ipa-writer.ts';
import type { ApiKeyFile } from '../../test/support/stores/app-store-connect/api-keys.ts';
import type { AppStoreConnect } from '../../test/support/stores/app-store-connect/app-store-connect.ts';
import type { Api } from './api.ts';
import { deploy } from './deploy.ts';
import { importFile } from './import.ts';
import { bytes, fact, step } from './print.ts';
import { StoreRelease } from './release.ts';

const BUNDLE_ID = 'com.example.shop';
const TEAM = 'A1B2C3D4E5';
const VERSION = '1.4.0';

/**
 * A version of the App Store, from the review over a phased release to all users.
 *
 * @throws Error when anything is not as it should be
 */
export async function releaseInPhases(api: Api, apple: AppStoreConnect): Promise<void> {
  const key = prepareAppStoreConnect(apple);
  const { appPath, destinationId } = await prepareSlipway(api, key);

  step(`Version ${VERSION} goes to the review of the App Store`);
  const build = await importIpa(api, appPath);
  const request = { appBuildId: build, appDestinationId: destinationId };
  const { deployment, job } = await deploy(api, appPath, {
    ...request,
    releaseNotes: { default: 'Faster.' },
  });
  assert.equal(job.status, 'succeeded', 'the job succeeds');
  const release = new StoreRelease(api, appPath, deployment.id);
  await release.becomes('waiting_for_review');

  step('Apple approves it, and it waits for us');
  apple.reviewVersion(BUNDLE_ID, VERSION, 'begin');
  await release.becomes('in_review');
  apple.reviewVersion(BUNDLE_ID, VERSION, 'approve');
  await release.becomes('approved');

  step('We release it, and Apple phases it');
  assert.equal((await release.release()).rolloutPercentage, 0.01);
  apple.passDays(BUNDLE_ID, VERSION, 2);
  await release.becomes('rolling_out', 0.05);

  step('Pause, resume, and all users');
  assert.equal((await release.setShare(0)).status, 'paused');
  assert.equal((await release.setShare(0.05)).status, 'rolling_out');
  assert.equal((await release.setShare(1)).status, 'released');

  step('What App Store Connect has, and who did what');
  const version = apple.versionsOf(BUNDLE_ID).find(({ versionString }) => versionString === VERSION);
  assert.ok(version, 'there is a version');
  assert.equal(version.releases, 1, 'it went live once');
  fact(`version ${version.versionString}: ${version.state}, phased release ${version.phased}`);
  assert.deepEqual(apple.storage.leaks, [], 'the storage of Apple got no token');
  await release.printHistory();
}

function prepareAppStoreConnect(apple: AppStoreConnect): ApiKeyFile {
  step('An app in the App Store, and an API key');
  const live = { versionString: '1.3.0', state: 'READY_FOR_DISTRIBUTION' } as const;
  const app = apple.addApp({ bundleId: BUNDLE_ID, name: 'Shop', versions: [live] });
  const key = apple.addKey({ role: 'APP_MANAGER' });
  // Without a wait: the next read after the delivery finds a processed file.
  apple.processing.polls = 0;
  fact(`${BUNDLE_ID} is the app ${app.id}, with version 1.3.0; the key ${key.keyId} is one of its team`);
  return key;
}

async function prepareSlipway(
  api: Api,
  { keyId, issuerId, p8 }: ApiKeyFile,
): Promise<{ appPath: string; destinationId: string }> {
  step('An app in Slipway, the key, and a destination with a phased release');
  const app = await api.post<{ id: string }>('/v1/apps', { name: 'Shop for iOS' });
  const appPath = `/v1/apps/${app.id}`;
  const form = new FormData();
  form.set('file', new Blob([p8]), `AuthKey_${keyId}.p8`);
  const key = await api.post<{ id: string }>(`${appPath}/apple-api-keys`, form);
  const destination = await api.post<{ id: string; name: string }>(`${appPath}/destinations`, {
    name: 'App Store',
    platform: 'ios',
    appleTeamId: TEAM,
    appAppleApiKeyId: key.id,
    appleApiKeyId: keyId,
    appleIssuerId: issuerId,
    appleSubmitForReview: true,
    applePhasedRelease: true,
    appleUsesNonExemptEncryption: false,
  });
  fact(`destination ${destination.name}: ${destination.id}`);
  return { appPath, destinationId: destination.id };
}

/** An ipa for the App Store as another CI would build it. @returns its build */
async function importIpa(api: Api, appPath: string): Promise<string> {
  const file = await makeIpa({
    packageName: BUNDLE_ID,
    versionName: VERSION,
    versionCode: '42',
    label: 'Shop',
    profile: 'app-store',
    teamId: TEAM,
  });
  const build = await importFile(api, appPath, 'ipa', file);
  fact(`an ipa of version ${VERSION}, ${bytes(file.length)}, is imported: build ${build}`);
  return build;
}
