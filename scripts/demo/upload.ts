import assert from 'node:assert/strict';
import type { Api } from './api.ts';
import { manifest, MANIFEST, sha256, type WebApp, zip } from './web-app.ts';

/** What the API returns about a bundle. */
export interface Bundle {
  readonly id: string;
  readonly appBuildId: string;
  readonly appDeploymentId: string | null;
  readonly artifactStatus: 'pending' | 'ready';
}

/** A bundle that was published, and the bytes that were sent for it. */
export interface Upload {
  readonly bundle: Bundle;
  readonly sentBytes: number;
}

/** Publishes the app as one zip: create the bundle, send the file, say that it is ready. */
export async function uploadZip(api: Api, appId: string, channelName: string, app: WebApp): Promise<Upload> {
  const bytes = await zip(app);
  const bundles = `/v1/apps/${appId}/bundles`;
  const { id } = await api.post<Bundle>(bundles, { artifactType: 'zip', channelName });
  const file = await api.post<{ id: string }>(`${bundles}/${id}/files`, fileForm('bundle.zip', bytes));
  const bundle = await publish(api, `${bundles}/${id}`, { appBundleFileId: file.id });
  return { bundle, sentBytes: bytes.length };
}

/** Publishes the app as single files with their manifest. The order of the files does not matter. */
export async function uploadManifest(
  api: Api,
  appId: string,
  channelName: string,
  app: WebApp,
): Promise<Upload> {
  const bundles = `/v1/apps/${appId}/bundles`;
  const { id } = await api.post<Bundle>(bundles, { artifactType: 'manifest', channelName });
  const files = [...app, [MANIFEST, manifest(app)] as const];
  await Promise.all(
    files.map(([href, bytes]) => api.post(`${bundles}/${id}/files`, fileForm(href, bytes, href))),
  );
  const bundle = await publish(api, `${bundles}/${id}`, {});
  return { bundle, sentBytes: files.reduce((total, [, bytes]) => total + bytes.length, 0) };
}

async function publish(api: Api, path: string, fields: object): Promise<Bundle> {
  const bundle = await api.patch<Bundle>(path, { ...fields, artifactStatus: 'ready' });
  assert.equal(bundle.artifactStatus, 'ready', 'the bundle is ready');
  assert.ok(bundle.appDeploymentId, 'the bundle is deployed to the channel');
  return bundle;
}

/** What uploads one file: of a bundle in manifest form with its path, else the zip. */
export function fileForm(name: string, bytes: Buffer, href?: string): FormData {
  const fields = new FormData();
  fields.set('checksum', sha256(bytes));
  fields.set('file', new Blob([new Uint8Array(bytes)]), name);
  if (href !== undefined) fields.set('href', href);
  fields.set('mimeType', href === undefined ? 'application/zip' : 'application/octet-stream');
  fields.set('name', name);
  fields.set('sizeInBytes', String(bytes.length));
  return fields;
}
