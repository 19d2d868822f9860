import assert from 'node:assert/strict';
import { makeAab } from '../../test/support/native-builds/aab-writer.ts';
import type { GooglePlay } from '../../test/support/stores/google-play/google-play.ts';
import type { Api } from './api.ts';
import { deploy } from './deploy.ts';
import { importFile } from './import.ts';
import { bytes, fact, step } from './print.ts';
import { rollOut } from './rollout-story.ts';

const PACKAGE = 'com.example.shop';
const TRACK = 'production';

/**
 * A submission, from a key of a service account to a release that all users have, and one that Google Play refuses.
 *
 * @throws Error when anything is not as it should be
 */
export async function submit(api: Api, google: GooglePlay): Promise<void> {
  const key = prepareGooglePlay(google);
  const { appPath, destinationId } = await prepareSlipway(api, key);
  const notes = { default: 'Faster start.', 'de-DE': 'Startet schneller.' };

  step('Version 42 goes to a fifth of the users');
  const first = await importBundle(api, appPath, 42);
  const request = { appBuildId: first, appDestinationId: destinationId, rolloutPercentage: 0.2 };
  const { deployment, job } = await deploy(api, appPath, { ...request, releaseNotes: notes });
  assert.equal(job.status, 'succeeded', 'the job succeeds');
  assert.equal(deployment.submission.state, 'prepared', 'the submission is prepared');
  fact(`the job succeeded, the submission is ${deployment.submission.state}`);

  step('What Google Play has');
  const [release, ...others] = google.committed;
  assert.ok(release, 'there is a release');
  assert.equal(others.length, 0, 'there is exactly one release');
  const { status, versionCodes, userFraction, releaseNotes = [] } = release.release;
  fact(`track ${release.track}: version ${versionCodes.join()}, ${status}, share ${userFraction}`);
  for (const { language, text } of releaseNotes) fact(`notes ${language}: ${text}`);
  const requests = await api.get<unknown[]>(`${appPath}/deployments/${deployment.id}/requests?limit=100`);
  fact(`${requests.length} calls of the store are recorded`);

  await rollOut(api, google, {
    appPath,
    deploymentId: deployment.id,
    packageName: PACKAGE,
    track: TRACK,
  });

  step('Version 43 is refused');
  const commits = google.committed.length;
  google.refuse('advertising id');
  const second = await importBundle(api, appPath, 43);
  const refused = await deploy(api, appPath, { appBuildId: second, appDestinationId: destinationId });
  assert.equal(refused.job.status, 'failed', 'the job fails');
  assert.equal(google.committed.length, commits, 'nothing else was released');
  fact(`the submission ${refused.deployment.submission.state}: ${refused.deployment.submission.message}`);
}

function prepareGooglePlay(google: GooglePlay): string {
  step('An app in the Play Console, and a service account that may release it');
  const released = { status: 'completed', versionCodes: ['41'] } as const;
  google.addApp({ packageName: PACKAGE, languages: ['de-DE'], tracks: { [TRACK]: [released] } });
  const { email, json } = google.addServiceAccount({ packages: [PACKAGE] });
  fact(`${PACKAGE} has version 41 on the track ${TRACK}; ${email} is invited`);
  return json;
}

async function prepareSlipway(api: Api, key: string): Promise<{ appPath: string; destinationId: string }> {
  step('An app in Slipway, the key, and a destination');
  const app = await api.post<{ id: string }>('/v1/apps', { name: 'Shop' });
  const appPath = `/v1/apps/${app.id}`;
  const form = new FormData();
  form.set('file', new Blob([key], { type: 'application/json' }), 'key.json');
  const { id: keyId } = await api.post<{ id: string }>(`${appPath}/google-service-account-keys`, form);
  const destination = await api.post<{ id: string; name: string }>(`${appPath}/destinations`, {
    name: 'Google Play, production',
    platform: 'android',
    androidPackageName: PACKAGE,
    androidReleaseStatus: 'completed',
    googlePlayTrack: TRACK,
    appGoogleServiceAccountKeyId: keyId,
  });
  fact(`destination ${destination.name}: ${destination.id}`);
  return { appPath, destinationId: destination.id };
}

/** A signed bundle as another CI would build it. @returns its build */
async function importBundle(api: Api, appPath: string, versionCode: number): Promise<string> {
  const file = await makeAab({
    packageName: PACKAGE,
    versionCode,
    versionName: `1.${versionCode}.0`,
    label: 'Shop',
    signed: true,
  });
  const build = await importFile(api, appPath, 'aab', file);
  fact(`a signed bundle of version ${versionCode}, ${bytes(file.length)}, is imported: build ${build}`);
  return build;
}
