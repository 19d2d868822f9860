import { createHash, randomBytes } from 'node:crypto';
import { zipOf } from '../support/live-updates/archives.js';
import { expectInstallable } from '../support/devices/expect-installable.js';
import { expectCreated } from '../support/http/expect-created.js';
import type { TestApp } from './app.js';

/** A published bundle, and what came with it. */
export interface TestBundle {
  /** Also the id of the build artifact. */
  readonly id: string;
  readonly buildId: string;
  readonly deploymentId: string | null;
}

/** A published bundle whose bytes the server holds. */
export interface TestUpload extends TestBundle {
  readonly bytes: Buffer;
}

interface BundleBody {
  readonly id: string;
  readonly appBuildId: string;
  readonly appDeploymentId: string | null;
}

/** A bundle that its owner hosts: ready and deployed with one request. */
export async function registerBundle(app: TestApp, values: object = {}): Promise<TestBundle> {
  return toBundle(
    expectCreated(
      await app.api.post(`${app.path}/bundles`, {
        artifactType: 'zip',
        url: 'https://cdn.example.com/bundle.zip',
        ...values,
      }),
    ),
  );
}

/**
 * A zip with an `index.html` of random bytes that was uploaded and published.
 *
 * @param signature Base64
 */
export async function uploadBundle(
  app: TestApp,
  values: object = {},
  signature?: string,
): Promise<TestUpload> {
  const bytes = await zipOf({ 'index.html': randomBytes(2000) });
  const pending = await createPendingBundle(app, values);
  const request = app.api
    .request('post', `${app.path}/bundles/${pending.id}/files`)
    .field('checksum', createHash('sha256').update(bytes).digest('hex'))
    .attach('file', bytes, 'bundle.zip')
    .field('mimeType', 'application/zip')
    .field('name', 'bundle.zip')
    .field('sizeInBytes', String(bytes.length));
  if (signature !== undefined) void request.field('signature', signature);
  const file = expectCreated<{ id: string }>(await request);
  const published = await app.api.patch(`${app.path}/bundles/${pending.id}`, {
    artifactStatus: 'ready',
    appBundleFileId: file.id,
  });
  if (published.status !== 200) throw new Error(`Not published: ${published.text}`);
  await expectInstallable(app.api.origin, app.id, pending.id, 'zip');
  return { ...toBundle(published.body as BundleBody), bytes };
}

/** A bundle that waits for its files. */
export async function createPendingBundle(app: TestApp, values: object = {}): Promise<TestBundle> {
  return toBundle(
    expectCreated(await app.api.post(`${app.path}/bundles`, { artifactType: 'zip', ...values })),
  );
}

function toBundle({ id, appBuildId, appDeploymentId }: BundleBody): TestBundle {
  return { id, buildId: appBuildId, deploymentId: appDeploymentId };
}
