import { expectCreated } from '../support/http/expect-created.js';
import { uniqueName } from '../support/unique-name.js';
import type { TestApp } from './app.js';
import { createGoogleKey } from './store-key.js';

/** A destination as the API shows it. */
export interface TestDestination {
  readonly id: string;
  readonly name: string;
  readonly platform: string;
  readonly type: string;
  readonly appGoogleServiceAccountKeyId: string | null;
}

/** A track of Google Play, with a key of its own, under a name of its own unless given. */
export async function createDestination(app: TestApp, fields: object = {}): Promise<TestDestination> {
  const body = {
    name: uniqueName('destination'),
    platform: 'android',
    androidPackageName: 'com.example.app',
    googlePlayTrack: 'internal',
    ...('appGoogleServiceAccountKeyId' in fields
      ? {}
      : { appGoogleServiceAccountKeyId: await createGoogleKey(app) }),
    ...fields,
  };
  return expectCreated(await app.api.post(`${app.path}/destinations`, body));
}
