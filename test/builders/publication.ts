import { hash, type KeyObject, sign } from 'node:crypto';
import { basename } from 'node:path';
import type { Api } from '../support/http/api.js';
import { type Files, zipOf } from '../support/live-updates/archives.js';
import { MANIFEST } from '../support/live-updates/uploads.js';
import { expectInstallable } from '../support/devices/expect-installable.js';
import { createTenant, type Tenant } from './identities.js';

export { MANIFEST };

/** An app of a tenant of its own. */
export interface TestApp {
  readonly id: string;
  readonly path: string;
  readonly api: Api;
  readonly tenant: Tenant;
  readonly defaultChannelId: string;
}

/** What was published. */
export interface Published {
  readonly bundleId: string;
  readonly buildId: string;
  readonly deploymentId: string;
}

/** How to publish. */
export interface Publication {
  /** Fields of the request that creates the bundle, such as `channelName`. */
  readonly values?: object;
  /** Signs every file. */
  readonly privateKey?: KeyObject;
}

/** Fields of the request that creates a channel. */
export interface NewChannel {
  readonly name: string;
  readonly protected?: boolean;
  readonly expiresAt?: string;
}

/** A new app of a new organization. */
export async function createApp(): Promise<TestApp> {
  const tenant = await createTenant();
  const { api } = tenant.owner;
  const { body } = await api.post('/v1/apps', { name: 'Shop' });
  const { id, appChannelId } = body as { id: string; appChannelId: string };
  return { id, path: `/v1/apps/${id}`, api, tenant, defaultChannelId: appChannelId };
}

/** Creates a channel. @returns its id */
export async function createChannel(app: TestApp, values: NewChannel): Promise<string> {
  const { status, body, text } = await app.api.post(`${app.path}/channels`, values);
  if (status !== 201) throw new Error(text);
  return (body as { id: string }).id;
}

/** Publishes files as a zip, to the default channel unless the values say otherwise. */
export async function publishZip(app: TestApp, files: Files, how: Publication = {}): Promise<Published> {
  const bundle = await createBundle(app, 'zip', how);
  const fileId = await uploadFile(app, bundle.id, await zipOf(files), { name: 'bundle.zip' }, how.privateKey);
  return publish(app, bundle, 'zip', { appBundleFileId: fileId }, how);
}

/** Publishes files in manifest form. */
export async function publishManifest(app: TestApp, files: Files, how: Publication = {}): Promise<Published> {
  const bundle = await createBundle(app, 'manifest', how);
  const contents = Object.entries(files).map(([href, content]) => [href, Buffer.from(content)] as const);
  const items = contents.map(([href, content]) => ({
    checksum: sha256(content),
    href,
    sizeInBytes: content.length,
  }));
  const manifest = Buffer.from(JSON.stringify(items, null, 2));
  await Promise.all(
    [...contents, [MANIFEST, manifest] as const].map(([href, content]) =>
      uploadFile(app, bundle.id, content, { name: basename(href), href }, how.privateKey),
    ),
  );
  return publish(app, bundle, 'manifest', {}, how);
}

/** In hexadecimal. */
export const sha256 = (bytes: Buffer): string => hash('sha256', bytes, 'hex');

interface Bundle {
  readonly id: string;
  readonly appBuildId: string;
}

async function createBundle(app: TestApp, artifactType: string, { values }: Publication): Promise<Bundle> {
  const { status, body, text } = await app.api.post(`${app.path}/bundles`, { artifactType, ...values });
  if (status !== 201) throw new Error(text);
  return body as Bundle;
}

async function uploadFile(
  app: TestApp,
  bundleId: string,
  content: Buffer,
  { name, href }: { name: string; href?: string },
  privateKey?: KeyObject,
): Promise<string> {
  const request = app.api
    .request('post', `${app.path}/bundles/${bundleId}/files`)
    .field('checksum', sha256(content))
    .attach('file', content, { filename: name });
  if (href !== undefined) request.field('href', href);
  request.field('mimeType', href === undefined ? 'application/zip' : 'text/plain').field('name', name);
  if (privateKey) request.field('signature', sign('sha256', content, privateKey).toString('base64'));
  const { status, body, text } = await request.field('sizeInBytes', String(content.length));
  if (status !== 201) throw new Error(text);
  return (body as { id: string }).id;
}

/** Publishes, and has every platform install what was published. */
async function publish(
  app: TestApp,
  bundle: Bundle,
  artifactType: 'zip' | 'manifest',
  values: object,
  { privateKey }: Publication,
): Promise<Published> {
  const { status, body, text } = await app.api.patch(`${app.path}/bundles/${bundle.id}`, {
    ...values,
    artifactStatus: 'ready',
  });
  if (status !== 200) throw new Error(text);
  await expectInstallable(app.api.origin, app.id, bundle.id, artifactType, privateKey);
  const { appDeploymentId } = body as { appDeploymentId: string };
  return { bundleId: bundle.id, buildId: bundle.appBuildId, deploymentId: appDeploymentId };
}
