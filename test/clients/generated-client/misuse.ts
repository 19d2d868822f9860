import createClient from 'openapi-fetch';
import type { components, paths } from './slipway.js';

/** What the generated types must refuse. Never runs: every line below is one that must not compile. */
export async function misuse(): Promise<void> {
  const client = createClient<paths>();
  const params = { path: { appId: '' } };

  // @ts-expect-error There is no such path.
  await client.GET('/v1/app');
  // @ts-expect-error There is no such method.
  await client.PUT('/v1/apps', { body: { name: 'Shop' } });
  // @ts-expect-error The path has a parameter.
  await client.GET('/v1/apps/{appId}');
  // @ts-expect-error The body is required.
  await client.POST('/v1/apps');
  // @ts-expect-error The name is required.
  await client.POST('/v1/apps', { body: { type: 'ios' } });
  // @ts-expect-error There is no such type of apps.
  await client.POST('/v1/apps', { body: { name: 'Shop', type: 'windows' } });
  // @ts-expect-error A name cannot be cleared.
  await client.PATCH('/v1/apps/{appId}', { params, body: { name: null } });
  // @ts-expect-error A limit is a number.
  await client.GET('/v1/apps', { params: { query: { limit: '10' } } });
  // @ts-expect-error There is no such parameter.
  await client.GET('/v1/apps', { params: { query: { page: 2 } } });
  // @ts-expect-error The name of the channel to delete is required.
  await client.DELETE('/v1/apps/{appId}/channels', { params });
  // @ts-expect-error There is no such permission.
  await client.POST('/v1/tokens', { body: { name: 'CI', permissions: ['apps:delete'] } });
  // @ts-expect-error A device says its platform.
  await client.GET('/v1/apps/{appId}/bundles/latest', { params });
  await client.PUT('/v1/apps/{appId}/bundles/{bundleId}/files/{bundleFileId}/upload', {
    params: {
      path: { ...params.path, bundleId: '', bundleFileId: '' },
      query: { action: 'mpu-uploadpart', uploadId: '' },
    },
    // @ts-expect-error The bytes are a Blob.
    body: { blob: 'bytes', partNumber: 1 },
  });

  const { data, error } = await client.GET('/v1/apps/{appId}/channels', { params });
  // @ts-expect-error There may be no data.
  void data.length;
  // One form for all callers: there is nothing to tell apart first.
  void data?.[0]?.pausedAt;
  // @ts-expect-error Errors have one form.
  void error?.statusCode;
  // @ts-expect-error A deletion answers nothing.
  void (await client.DELETE('/v1/apps/{appId}', { params })).data?.id;
}

/** What an answer always has is not optional, and what may be empty is `null`. */
export function readings(
  channel: components['schemas']['ChannelDto'],
  headers: paths['/v1/apps']['get']['responses'][200]['headers'],
): [id: string, expiresAt: string | null, total: number, etag: string] {
  // @ts-expect-error It may never expire.
  const expiresAt: string = channel.expiresAt;
  return [channel.id, expiresAt, headers['X-Total-Count'], headers.ETag];
}
