import type { Response } from 'supertest';
import type { TestBundle } from '../../builders/bundle.js';
import type { Api } from '../http/api.js';
import { expectCreated } from '../http/expect-created.js';
import { type FileFields, filePart, fileParts, form, send } from '../http/multipart.js';
import { sha256 } from '../sha256.js';

/** The file, at the root of a bundle in manifest form, that lists the others. */
export const MANIFEST = 'capawesome-live-update-manifest.json';

/** A signature as far as the server looks at it. */
export const SIGNATURE = Buffer.alloc(256, 1).toString('base64');

/** Uploads one file in one request. */
export function postFile(
  bundle: TestBundle,
  content: Buffer | string,
  fields: FileFields,
): Promise<Response> {
  return send(bundle.api, 'post', `${bundle.path}/files`, form(fileParts(content, fields)));
}

/** Announces a file whose bytes follow in parts. @returns path of the file */
export async function announce(
  bundle: TestBundle,
  content: Buffer | string,
  fields: FileFields,
): Promise<string> {
  const parts = fileParts(content, fields).filter(({ name }) => name !== 'file');
  const response = await send(bundle.api, 'post', `${bundle.path}/files`, form(parts));
  const { id } = expectCreated<{ id: string }>(response);
  return `${bundle.path}/files/${id}`;
}

/** Begins an upload in parts. @returns its id */
export async function beginUpload(api: Api, filePath: string): Promise<string> {
  const response = await api.post(`${filePath}/upload?action=mpu-create`, {});
  expect(response.status).toBe(200);
  return (response.body as { uploadId: string }).uploadId;
}

/** Sends one part. */
export function putPart(
  api: Api,
  filePath: string,
  uploadId: string,
  partNumber: number,
  content: Buffer | string,
): Promise<Response> {
  return send(
    api,
    'put',
    `${filePath}/upload?action=mpu-uploadpart&uploadId=${uploadId}`,
    form([filePart(content, 'blob', 'blob'), { name: 'partNumber', content: String(partNumber) }]),
  );
}

/** Joins parts. */
export function completeUpload(
  api: Api,
  filePath: string,
  uploadId: string,
  parts: readonly { etag: string; partNumber: number }[],
): Promise<Response> {
  return api.post(`${filePath}/upload?action=mpu-complete&uploadId=${uploadId}`, { parts });
}

/** The manifest of some files. */
export function manifestOf(files: Readonly<Record<string, Buffer | string>>): string {
  return JSON.stringify(
    Object.entries(files).map(([href, content]) => ({
      checksum: sha256(content),
      href,
      sizeInBytes: Buffer.byteLength(content),
    })),
  );
}

/** Uploads files and a manifest of them, or the given one. */
export async function uploadFiles(
  bundle: TestBundle,
  files: Readonly<Record<string, Buffer | string>>,
  manifest: Buffer | string = manifestOf(files),
  signature?: string,
): Promise<void> {
  const all = Object.entries({ ...files, [MANIFEST]: manifest });
  const responses = await Promise.all(
    all.map(([href, content]) => postFile(bundle, content, { href, signature })),
  );
  expect(responses.map(({ status }) => status)).toEqual(all.map(() => 201));
}

/** Asks the server to publish a bundle. */
export function publish(bundle: TestBundle, fields: object = {}): Promise<Response> {
  return bundle.api.patch(bundle.path, { artifactStatus: 'ready', ...fields });
}

/** Downloads as a device does. @param href `null`: the zip */
export function download(bundle: TestBundle, href: string | null): Promise<Response> {
  const query = href === null ? '' : `?href=${encodeURIComponent(href)}`;
  return bundle.api
    .request('get', `${bundle.path}/download${query}`)
    .unset('Authorization')
    .buffer(true)
    .parse((response, done) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => done(null, Buffer.concat(chunks)));
    });
}

/** The deployments of a bundle's build. */
export async function deploymentsOf(bundle: TestBundle): Promise<{ id: string; appChannelId: string }[]> {
  const response = await bundle.api.get(`/v1/apps/${bundle.appId}/deployments?appBuildId=${bundle.buildId}`);
  expect(response.status).toBe(200);
  return response.body as { id: string; appChannelId: string }[];
}
