import { type KeyObject, randomBytes, sign } from 'node:crypto';
import { expectInstallable } from '../support/devices/expect-installable.js';
import { expectCreated } from '../support/http/expect-created.js';
import { type Files, zipOf } from '../support/live-updates/archives.js';
import { MANIFEST, manifestOf, postFile, publish } from '../support/live-updates/uploads.js';
import type { TestApp } from './app.js';
import { createBundle, type TestBundle } from './bundle.js';

/** A published bundle with a deployment. */
export interface Published extends TestBundle {
  readonly deploymentId: string;
}

/** A published zip whose bytes the server holds. */
export interface TestUpload extends TestBundle {
  readonly bytes: Buffer;
}

/** How to publish. */
export interface Publication {
  /** Fields of the request that creates the bundle, such as `channelName`. */
  readonly values?: object;
  /** Signs every file. */
  readonly privateKey?: KeyObject;
  /** Base64. The signature of every file, instead of one by a key. */
  readonly signature?: string;
}

/**
 * Publishes a zip, to the default channel unless the values say otherwise, and has every platform install it.
 *
 * @param content its files, or the bytes of the zip
 */
export async function publishZip(
  app: TestApp,
  content: Files | Buffer,
  how: Publication = {},
): Promise<Published> {
  const bundle = await createBundle(app, { artifactType: 'zip', ...how.values });
  const bytes = Buffer.isBuffer(content) ? content : await zipOf(content);
  const fields = { mimeType: 'application/zip', signature: signatureOf(bytes, how) };
  const file = expectCreated<{ id: string }>(await postFile(bundle, bytes, fields));
  return finish(bundle, 'zip', { appBundleFileId: file.id }, how);
}

/** Publishes files in manifest form, to the default channel unless the values say otherwise, and installs them. */
export async function publishManifest(app: TestApp, files: Files, how: Publication = {}): Promise<Published> {
  const bundle = await createBundle(app, how.values);
  const all = Object.entries({ ...files, [MANIFEST]: manifestOf(files) });
  await Promise.all(
    all.map(async ([href, content]) => {
      const fields = { href, mimeType: 'text/plain', signature: signatureOf(Buffer.from(content), how) };
      expectCreated(await postFile(bundle, content, fields));
    }),
  );
  return finish(bundle, 'manifest', {}, how);
}

/** Publishes a zip with an `index.html` of random bytes. */
export async function uploadBundle(
  app: TestApp,
  values: object = {},
  signature?: string,
): Promise<TestUpload> {
  const bytes = await zipOf({ 'index.html': randomBytes(2000) });
  const how = signature === undefined ? { values } : { values, signature };
  return { ...(await publishZip(app, bytes, how)), bytes };
}

function signatureOf(content: Buffer, { privateKey, signature }: Publication): string | undefined {
  return privateKey ? sign('sha256', content, privateKey).toString('base64') : signature;
}

/** Publishes, and has every platform install what was published. */
async function finish(
  bundle: TestBundle,
  artifactType: 'zip' | 'manifest',
  fields: object,
  { privateKey }: Publication,
): Promise<Published> {
  const { status, body, text } = await publish(bundle, fields);
  if (status !== 200) throw new Error(`Not published: ${text}`);
  await expectInstallable(bundle.api.origin, bundle.appId, bundle.id, artifactType, privateKey);
  const { appDeploymentId } = body as { appDeploymentId: string };
  return { ...bundle, deploymentId: appDeploymentId };
}
