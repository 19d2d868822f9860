import { generateKeyPairSync, sign } from 'node:crypto';
import type { Response } from 'supertest';
import type { TestApp } from '../../builders/app.js';
import { createBundle, type TestBundle } from '../../builders/bundle.js';
import { type Published, publishManifest } from '../../builders/publication.js';
import { expectCreated } from '../http/expect-created.js';
import type { Files } from './archives.js';
import { MANIFEST, manifestOf, postFile, publish } from './uploads.js';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Files that devices know by their content. */
export const FIRST = {
  'index.html': '<html>',
  'cordova.js': 'none',
  'i18n/de.json': '{"a":1}',
  'i18n/fr.json': '{}',
};
/** Two files have exchanged their content: devices of either would build the other wrongly. */
export const EXCHANGED = { ...FIRST, 'i18n/de.json': '{}', 'i18n/fr.json': '{"a":1}' };
/** A copy of a file that is known by its content: plugins before 7.2.2 would lack it. */
export const COPIED = { ...FIRST, 'copied.js': '{}' };

/** Files as devices have them. */
export const asFiles = (files: Files): Map<string, Buffer> =>
  new Map(Object.entries(files).map(([href, content]) => [href, Buffer.from(content)]));

/** Publishes signed files in manifest form, and has every platform install them. */
export const publishSigned = (app: TestApp, files: Files, values: object = {}): Promise<Published> =>
  publishManifest(app, files, { privateKey, values });

/** Publishes signed files in manifest form, whatever comes of it, and installs them nowhere. */
export async function trySigned(
  app: TestApp,
  files: Files,
  values: object = {},
): Promise<{ bundle: TestBundle; response: Response }> {
  const bundle = await createBundle(app, values);
  for (const [href, content] of Object.entries({ ...files, [MANIFEST]: manifestOf(files) })) {
    const signature = sign('sha256', Buffer.from(content), privateKey).toString('base64');
    expectCreated(await postFile(bundle, content, { href, mimeType: 'text/plain', signature }));
  }
  return { bundle, response: await publish(bundle, {}) };
}
