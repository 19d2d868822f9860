import { pem } from '../builders/certificate.js';
import { createApp, type TestApp } from '../builders/app.js';
import { RestServer } from '../support/git/rest-server.js';
import { Sdk } from '../support/http/sdk.js';
import { expectSdk, expectSdkList } from '../support/http/sdk-checks.js';
import {
  sdkCertificate,
  sdkConfiguration,
  sdkEnvironment,
  sdkGitConnection,
  sdkGitNamespace,
  sdkGitRepository,
  type SdkObject,
  sdkSecret,
  sdkVariable,
} from '../support/http/sdk-types.js';
import { makeAppleIdentity, makeP12 } from '../support/native-builds/apple/identity.js';
import { makeIdentity } from '../support/native-builds/keystores/identity.js';
import { pkcs12 } from '../support/native-builds/keystores/pkcs12.js';
import { uniqueName } from '../support/unique-name.js';

/*
 * Every request of the SDK about certificates, environments, their variables and secrets, configurations and git
 * connections: each response has the fields and types that the SDK declares.
 */

let app: TestApp;
let sdk: Sdk;

beforeAll(async () => {
  app = await createApp();
  sdk = new Sdk(app.tenant.owner.token);
});

/** What the SDK does with every resource that has names. `name` is what it deletes by, if it can. */
async function exercise(
  declared: SdkObject,
  path: string,
  create: object,
  change: object,
  { get = true, query = { limit: 10, offset: 0 } as Readonly<Record<string, string | number>> } = {},
): Promise<string> {
  const body = (value: object): object => (value instanceof FormData ? { form: value } : { body: value });
  const { id } = expectSdk(declared, await sdk.request('POST', path, body(create))) as { id: string };
  if (get) expectSdk(declared, await sdk.request('GET', `${path}/${id}`));
  expectSdk(declared, await sdk.request('PATCH', `${path}/${id}`, { body: change }));
  expectSdkList(declared, await sdk.request('GET', path, { query }));
  return id;
}

const deleteById = (path: string, id: string): Promise<void> => sdk.request('DELETE', `${path}/${id}`);

function certificate(
  platform: string,
  name: string,
  file: Buffer | string,
  fileName: string,
  values: Readonly<Record<string, string>> = {},
): FormData {
  const form = new FormData();
  const bytes = typeof file === 'string' ? file : new Uint8Array(file);
  form.append('file', new Blob([bytes]), fileName);
  for (const [key, value] of Object.entries({ name, platform, ...values })) form.append(key, value);
  return form;
}

describe('certificates', () => {
  const keystore = pkcs12([{ alias: 'upload', identity: makeIdentity() }], 'storepass');
  const p12 = makeP12(makeAppleIdentity());
  const password = { password: 'storepass' };

  it.each([
    [
      'android',
      certificate('android', 'Upload', keystore, 'upload.p12', { ...password, keyAlias: 'upload' }),
    ],
    ['ios', certificate('ios', 'Upload', p12, 'distribution.p12', { ...password, type: 'production' })],
    ['web', certificate('web', 'Upload', pem(), 'key.pem')],
  ])('of %s are created, read, changed, listed and deleted', async (platform, form) => {
    const path = `${app.path}/certificates`;
    const query = { name: 'renamed', platform, type: 'production', limit: 10, offset: 0 };
    const id = await exercise(sdkCertificate, path, form, { name: 'Renamed' }, { query });
    const byName = { query: { name: 'Renamed', platform, type: 'production' } };
    expect(await sdk.request('DELETE', path, byName)).toBeUndefined();
    await expect(sdk.request('GET', `${path}/${id}`)).rejects.toThrow('404');
  });
});

it('environments, variables and secrets are created, read, changed, listed and deleted', async () => {
  const path = `${app.path}/environments`;
  const id = await exercise(sdkEnvironment, path, { name: 'production' }, { name: 'beta' });
  const pair = { key: 'API_URL', value: 'https://api.example.com' };
  for (const [what, declared] of [['variables', sdkVariable] as const, ['secrets', sdkSecret] as const]) {
    const values = `${path}/${id}/${what}`;
    const options = { get: false, query: {} };
    const valueId = await exercise(declared, values, pair, { value: 'https://example.com' }, options);
    expect(await deleteById(values, valueId)).toBeUndefined();
  }
  expect(await sdk.request('DELETE', path, { query: { name: 'beta' } })).toBeUndefined();
  await expect(deleteById(path, id)).rejects.toThrow('404');
});

it('configurations are created, read, changed, listed and deleted', async () => {
  const path = `${app.path}/configurations`;
  const names = { displayName: 'Shop', packageName: null };
  const id = await exercise(sdkConfiguration, path, { name: 'staging', ...names }, { displayName: null });
  expect(await deleteById(path, id)).toBeUndefined();
});

it('git connections are created, read, changed, listed, asked and deleted', async () => {
  const repository = {
    id: 7,
    name: 'shop',
    full_name: 'acme/shop',
    private: true,
    html_url: 'https://git.example.com/acme/shop',
    default_branch: 'main',
  };
  const repositories = [
    repository,
    { ...repository, id: 8, name: 'new', full_name: 'acme/new', empty: true },
  ];
  const server = await RestServer.start({
    '/api/v1/repos/search': { ok: true, data: repositories },
    '/api/v1/user/repos': repositories,
    '/api/v1/user': { id: 1, login: 'ada' },
    '/api/v1/user/orgs': [
      { id: 2, name: 'acme', username: 'acme', avatar_url: 'https://git.example.com/2.png' },
    ],
  });
  try {
    const path = `/v1/organizations/${app.tenant.organizationId}/git-connections`;
    const create = { provider: 'gitea', authKind: 'token', token: 'a-token', baseUrl: server.origin };
    const query = { provider: 'gitea', limit: 10, offset: 0 };
    const id = await exercise(sdkGitConnection, path, create, { name: uniqueName('Forge') }, { query });
    const restricted = { query: { restricted: false } };
    expectSdkList(sdkGitConnection, await sdk.request('GET', path, restricted));
    const found = expectSdkList(sdkGitRepository, await sdk.request('GET', `${path}/${id}/repositories`));
    expect(new Set(found.map(({ defaultBranch }) => defaultBranch))).toEqual(new Set(['main', undefined]));
    expectSdkList(sdkGitNamespace, await sdk.request('GET', `${path}/${id}/namespaces`));
    expect(await deleteById(path, id)).toBeUndefined();
  } finally {
    await server.stop();
  }
});
