import { generateKeyPairSync } from 'node:crypto';
import type { Response } from 'supertest';
import { expectCreated } from '../support/http/expect-created.js';
import { form, send } from '../support/http/multipart.js';
import type { TestApp } from './app.js';
import { pem } from './certificate.js';

/** The `.p8` of an API key of App Store Connect. */
export const appleKeyFile: string = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

/** The JSON key of a Google service account, as the Google Cloud console makes it. @param members `undefined` leaves one out */
export function googleKeyFile(members: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    type: 'service_account',
    project_id: 'example',
    private_key_id: '0123456789abcdef0123456789abcdef01234567',
    private_key: pem(),
    client_email: 'publisher@example.iam.gserviceaccount.com',
    client_id: '123456789012345678901',
    auth_uri: 'https://accounts.google.com/o/oauth2/auth',
    token_uri: 'https://oauth2.googleapis.com/token',
    universe_domain: 'googleapis.com',
    ...members,
  });
}

export type StoreKeyPath = 'apple-api-keys' | 'google-service-account-keys';

/** Uploads a file, as the official CLI does. */
export function uploadStoreKey(
  app: TestApp,
  path: StoreKeyPath,
  content: string | Buffer,
  api = app.api,
): Promise<Response> {
  const filename = path === 'apple-api-keys' ? 'AuthKey_2X9R4HXF34.p8' : 'key.json';
  return send(api, 'post', `${app.path}/${path}`, form([{ name: 'file', content, filename }]));
}

/** @returns the id of the key */
export async function createGoogleKey(
  app: TestApp,
  members?: Readonly<Record<string, unknown>>,
): Promise<string> {
  const response = await uploadStoreKey(app, 'google-service-account-keys', googleKeyFile(members));
  return expectCreated<{ id: string }>(response).id;
}

/** @returns the id of the key */
export async function createAppleKey(app: TestApp): Promise<string> {
  return expectCreated<{ id: string }>(await uploadStoreKey(app, 'apple-api-keys', appleKeyFile)).id;
}
