import { createHash } from 'node:crypto';
import createClient from 'openapi-fetch';
import type { components, paths } from './slipway.js';

/** Plays a client with generated types against the server of `SLIPWAY_URL`, and prints what it has seen as JSON. */
const { SLIPWAY_URL: baseUrl = '', SLIPWAY_TOKEN = '', ORGANIZATION_ID: organizationId = '' } = process.env;

type Channel = components['schemas']['ChannelDto'];
type Failure = components['schemas']['ErrorDto'];

const anonymous = createClient<paths>({ baseUrl });
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${SLIPWAY_TOKEN}` } });

/** The data of an answer, or an error with the code of the server. */
function must<T>({ data, error }: { data?: T; error?: Failure }): T {
  if (data === undefined) throw new Error(error?.code);
  return data;
}

/** A multipart body of named fields. */
function toForm(fields: Readonly<Record<string, string | number | Blob>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    form.append(name, typeof value === 'number' ? String(value) : value);
  }
  return form;
}

const app = must(
  await client.POST('/v1/apps', { body: { name: 'Generated', type: 'capacitor', organizationId } }),
);
const path = { appId: app.id };
const channel: Channel = must(
  await client.POST('/v1/apps/{appId}/channels', {
    params: { path },
    body: { name: 'beta', expiresAt: '2030-01-01T00:00:00Z' },
  }),
);

// A page and its headers.
const page = await client.GET('/v1/apps/{appId}/channels', {
  params: { path, query: { limit: 1, offset: 1 } },
});
const total = Number(page.response.headers.get('X-Total-Count'));

// `null` clears, absent leaves; only when no one has changed it meanwhile.
const channelPath = { ...path, channelId: channel.id };
const read = await client.GET('/v1/apps/{appId}/channels/{channelId}', { params: { path: channelPath } });
const changed = must(
  await client.PATCH('/v1/apps/{appId}/channels/{channelId}', {
    params: { path: channelPath, header: { 'If-Match': read.response.headers.get('ETag') ?? '' } },
    body: { expiresAt: null },
  }),
);
const stale = await client.PATCH('/v1/apps/{appId}/channels/{channelId}', {
  params: { path: channelPath, header: { 'If-Match': '"stale"' } },
  body: { name: 'gamma' },
});

// Without a token, there are only ids and names.
await client.PATCH('/v1/apps/{appId}', { params: { path }, body: { appChannelDiscoveryEnabled: true } });
const discovered = must(await anonymous.GET('/v1/apps/{appId}/channels', { params: { path } }));
const known = must(await client.GET('/v1/apps/{appId}/channels', { params: { path } }));
const isWhole = (one: (typeof known)[number]): boolean => 'pausedAt' in one;
const token = must(
  await client.POST('/v1/tokens', { body: { name: 'Reader', permissions: ['apps:read', 'builds:read'] } }),
);
const permissions = typeof token.permissions === 'string' ? [] : token.permissions;

// Files, up and down.
const bytes = Buffer.from('PK');
const bundle = must(
  await client.POST('/v1/apps/{appId}/bundles', { params: { path }, body: { artifactType: 'manifest' } }),
);
const bundlePath = { ...path, bundleId: bundle.id };
const file = await client.POST('/v1/apps/{appId}/bundles/{bundleId}/files', {
  params: { path: bundlePath },
  body: {
    file: new Blob([bytes]),
    name: 'a.js',
    href: 'a.js',
    mimeType: 'text/javascript',
    sizeInBytes: bytes.length,
    checksum: createHash('sha256').update(bytes).digest('hex'),
  },
  bodySerializer: toForm,
});
const download = await anonymous.GET('/v1/apps/{appId}/bundles/{bundleId}/download', {
  params: { path: bundlePath },
  parseAs: 'blob',
});
const downloaded: Blob | undefined = download.data;

const missing = await client.GET('/v1/apps/{appId}', { params: { path: { appId: 'unknown' } } });
const failure: Failure | undefined = missing.error;
const invalid = await client.POST('/v1/apps', { body: { name: '' } });

process.stdout.write(
  JSON.stringify({
    app: { name: app.name, type: app.type },
    page: { names: page.data?.map(({ name }) => name), total, link: page.response.headers.get('Link') },
    expiresAt: [channel.expiresAt, changed.expiresAt],
    name: changed.name,
    stale: stale.error?.code,
    discovered: discovered.map(isWhole),
    known: known.map(isWhole),
    permissions,
    file: file.response.status,
    unpublished: { status: download.response.status, code: download.error?.code, bytes: downloaded?.size },
    missing: { status: missing.response.status, code: failure?.code, message: failure?.message },
    invalid: invalid.error?.errors?.map(({ field }) => field),
  }),
);
