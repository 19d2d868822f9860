import assert from 'node:assert/strict';
import type { Api } from './api.ts';
import { followJob } from './job.ts';

/** What the API returns about an import. */
interface Import {
  readonly id: string;
  readonly jobId: string;
  readonly appBuildArtifactId: string;
}

/** Imports a file that another CI has built: announce it, send it, wait until it is read. @returns the build */
export async function importFile(
  api: Api,
  appPath: string,
  type: 'aab' | 'apk' | 'ipa',
  file: Buffer,
): Promise<string> {
  const artifact = { type, fileName: `app.${type}`, fileSizeInBytes: file.length };
  const platform = type === 'ipa' ? 'ios' : 'android';
  const started = await api.post<Import>(`${appPath}/builds/imports`, { platform, artifact });
  const upload = `${appPath}/builds/${started.id}/artifacts/${started.appBuildArtifactId}/upload`;
  const { uploadId } = await api.post<{ uploadId: string }>(`${upload}?action=mpu-create`, {});
  const form = new FormData();
  form.set('partNumber', '1');
  form.set('blob', new Blob([new Uint8Array(file)]), 'blob');
  const part = await api.put<object>(`${upload}?action=mpu-uploadpart&uploadId=${uploadId}`, form);
  await api.post(`${upload}?action=mpu-complete&uploadId=${uploadId}`, { parts: [part] });
  const { status } = await followJob(api, started.jobId);
  assert.equal(status, 'succeeded', 'the file is read');
  return started.id;
}
