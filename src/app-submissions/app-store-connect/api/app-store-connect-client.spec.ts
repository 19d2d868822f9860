import { jest } from '@jest/globals';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import {
  type Call,
  closeStores,
  configFor,
  json,
  refusalFrom,
  type Respond,
  serve,
  sessionFor,
} from '../../../../test/support/stores/store-servers.js';
import type { NewSubmissionRequest } from '../../submission-requests/submission-requests.service.js';
import type { StoreResponse } from '../../calls/store-session.js';
import { AppStoreConnectClient } from './app-store-connect-client.js';
import { signAppleToken } from './app-store-connect-api.js';
import type { CallBudget } from '../rate-limits/call-budget.service.js';

afterEach(() => {
  closeStores();
  jest.restoreAllMocks();
});

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const key = { keyId: 'KEY1234567', issuerId: 'issuer-1', privateKeyPem: pemOf(pair.privateKey) };

/** A budget that allows everything. */
class OpenBudget {
  readonly learned: number[] = [];
  taken = 0;

  take(): Promise<void> {
    this.taken++;
    return Promise.resolve();
  }

  learn(_key: unknown, _organizationId: string, { status }: StoreResponse): Promise<void> {
    this.learned.push(status);
    return Promise.resolve();
  }
}

/** A client of an App Store Connect at the address. */
function clientFor(
  url: string,
  records: NewSubmissionRequest[] = [],
  budget = new OpenBudget(),
): AppStoreConnectClient {
  const config = configFor('http://127.0.0.1:1');
  config.stores.appStoreConnectUrl = url;
  const access = { baseUrl: `${url}/base/`, key, budget: budget as unknown as CallBudget };
  return new AppStoreConnectClient(sessionFor(config, records), access);
}

const tokenOf = (call: Call | undefined): string => call?.headers.authorization?.replace('Bearer ', '') ?? '';
const app = (id: string, bundleId: string) => ({
  type: 'apps',
  id,
  attributes: { name: `App ${id}`, bundleId, primaryLocale: 'en-US' },
});

describe('tokens for App Store Connect', () => {
  it('are signed with the key, for 19 minutes', async () => {
    const now = new Date('2026-11-24T15:00:00Z');
    const token = await signAppleToken(key, now);
    const { payload } = await jwtVerify(token, pair.publicKey, { currentDate: now });
    const iat = now.getTime() / 1000;
    expect(payload).toEqual({ iss: 'issuer-1', aud: 'appstoreconnect-v1', iat, exp: iat + 19 * 60 });
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', kid: 'KEY1234567', typ: 'JWT' });
  });

  it('name the user of an individual key', async () => {
    const token = await signAppleToken({ ...key, issuerId: null });
    const { payload } = await jwtVerify(token, pair.publicKey);
    expect(payload).toMatchObject({ sub: 'user' });
    expect(payload.iss).toBeUndefined();
  });

  it.each([
    ['another curve', pemOf(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey)],
    ['an RSA key', pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)],
    ['no key', 'no key'],
  ])('cannot be made with %s', async (_, privateKeyPem) => {
    const { refusal } = await refusalFrom(signAppleToken({ ...key, privateKeyPem }));
    expect(refusal).toMatchObject({ code: 'store_key_unusable', retry: 'never' });
  });

  it('are replaced five minutes before their end, and after a 401', async () => {
    let status = 200;
    const apple = await serve((call, response) => json({ data: app('1', 'a.b') }, status)(call, response));
    const client = clientFor(apple.url);
    const start = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
    for (const minutes of [0, 13.9, 14]) {
      clock.mockReturnValue(start + minutes * 60_000);
      await client.app('1');
    }
    const tokens = apple.calls.map(tokenOf);
    expect(tokens[0]).toBe(tokens[1]);
    expect(tokens[2]).not.toBe(tokens[1]);
    status = 401;
    const { refusal } = await refusalFrom(client.app('1'));
    expect(refusal).toMatchObject({ does: 'new-token', retry: 'again' });
    status = 200;
    await client.app('1');
    expect(tokenOf(apple.calls.at(-1))).not.toBe(tokenOf(apple.calls.at(-2)));
  });
});

describe('the calls of App Store Connect', () => {
  it('ask for what is needed, with the token, and are recorded without it', async () => {
    const apple = await serve(
      json({ data: [app('1', 'com.example.app'), app('2', 'com.example.app.more')] }),
    );
    const records: NewSubmissionRequest[] = [];
    const budget = new OpenBudget();
    const found = await clientFor(apple.url, records, budget).appsByBundleId('com.example.app');
    expect(found).toEqual([{ id: '1', name: 'App 1', bundleId: 'com.example.app', primaryLocale: 'en-US' }]);
    expect(decodeURIComponent(apple.calls[0]?.url ?? '')).toBe(
      '/base/v1/apps?filter[bundleId]=com.example.app&fields[apps]=name,bundleId,primaryLocale&limit=200',
    );
    await expect(jwtVerify(tokenOf(apple.calls[0]), pair.publicKey)).resolves.toBeDefined();
    expect(records).toHaveLength(1);
    expect(JSON.stringify(records)).not.toContain(tokenOf(apple.calls[0]));
    expect(budget).toMatchObject({ taken: 1, learned: [200] });
  });

  it('are not made when the budget is used up', async () => {
    const apple = await serve(json({ data: [] }));
    const budget = new OpenBudget();
    budget.take = () => Promise.reject(new Error('used up'));
    await expect(clientFor(apple.url, [], budget).apps(1)).rejects.toThrow('used up');
    expect(apple.calls).toEqual([]);
  });

  it('read pages where the first one came from, a bounded number of them', async () => {
    const apple = await serve((call, response) => {
      const next = `http://${call.headers.host}/base/v1/apps?cursor=${Math.random()}`;
      json({ data: [app('1', 'a.b')], links: { next } })(call, response);
    });
    expect(await clientFor(apple.url).apps(100)).toHaveLength(10);
    expect(apple.calls).toHaveLength(10);
    expect(await clientFor(apple.url).apps(3)).toHaveLength(3);
    expect(apple.calls).toHaveLength(13);
    expect(apple.calls[10]?.url).toContain('limit=3');
  });

  it.each(['http://127.0.0.1:9/v1/apps', 'https://evil.example/', 'http://user:pass@HOST/base/v1/apps'])(
    'do not follow %s',
    async (next) => {
      const apple = await serve((call, response) =>
        json({ data: [], links: { next: next.replace('HOST', call.headers.host ?? '') } })(call, response),
      );
      const { refusal } = await refusalFrom(clientFor(apple.url).apps(5));
      expect(refusal.code).toBe('store_answer_unusable');
      expect(apple.calls).toHaveLength(1);
    },
  );

  it.each<[string, Respond]>([
    [
      'HTML',
      (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>Hi</html>'),
    ],
    ['nothing', (_, response) => response.writeHead(200).end()],
    ['a list', json([])],
    ['null', json(null)],
    ['a list instead of one', json({ data: [] })],
    ['no id', json({ data: { attributes: {} } })],
    ['an id with a path', json({ data: { id: '../../v1/users', attributes: {} } })],
    ['an id of dots', json({ data: { id: '..', attributes: {} } })],
    ['an id that is a number', json({ data: { id: 7, attributes: {} } })],
    ['a long id', json({ data: { id: 'x'.repeat(300), attributes: {} } })],
    ['a redirect', (_, response) => response.writeHead(302, { Location: 'https://evil.example/' }).end()],
    [
      'far too many values',
      (_, response) => response.writeHead(200).end(`{"data": [${'1,'.repeat(300_000)}1]}`),
    ],
  ])('do not believe %s', async (_, respond) => {
    const apple = await serve(respond);
    const { refusal } = await refusalFrom(clientFor(apple.url).app('1'));
    expect(refusal).toMatchObject({ code: 'store_answer_unusable', retry: 'again' });
  });

  it.each(['', '..', 'a/b', 'a?b', 'a b', '%2e%2e'])('ask for no resource with the id %j', async (id) => {
    const apple = await serve(json({ data: app('1', 'a.b') }));
    await refusalFrom(clientFor(apple.url).app(id));
    expect(apple.calls).toEqual([]);
  });

  it('find builds however Apple spells their version, and no others', async () => {
    const build = (id: string, version: string, train: string, more: object = {}) => ({
      type: 'builds',
      id,
      attributes: {
        version,
        processingState: 'VALID',
        expired: false,
        usesNonExemptEncryption: null,
        ...more,
      },
      relationships: { preReleaseVersion: { data: { type: 'preReleaseVersions', id: train } } },
    });
    const trains = ['1.2', '1.2.0', '1.3'].map((version) => ({
      type: 'preReleaseVersions',
      id: `t${version}`,
      attributes: { version, platform: 'IOS' },
    }));
    const data = [
      build('a', '7', 't1.2.0', { usesNonExemptEncryption: false }),
      build('b', '7', 't1.3'),
      build('c', '70', 't1.2'),
      build('d', '7', 'unknown'),
    ];
    const apple = await serve(json({ data, included: trains }));
    const found = await clientFor(apple.url).builds('5', 'ios', { version: '01.2', buildNumber: '7' });
    expect(found).toEqual([
      {
        id: 'a',
        version: '1.2.0',
        buildNumber: '7',
        processingState: 'VALID',
        expired: false,
        usesNonExemptEncryption: false,
      },
    ]);
    expect(decodeURIComponent(apple.calls[0]?.url ?? '')).toContain(
      'filter[app]=5&filter[version]=7&filter[preReleaseVersion.platform]=IOS',
    );
  });

  it('read an upload with its errors, and the build that it has become', async () => {
    const state = {
      state: 'FAILED',
      errors: [{ code: '90189', description: 'Redundant.' }, 7, { code: 90062 }],
      warnings: [{ description: 'W' }],
    };
    const data = {
      id: 'u',
      attributes: { cfBundleVersion: '7', cfBundleShortVersionString: '1.2', state },
      relationships: { build: { data: { type: 'builds', id: 'b' } } },
    };
    const apple = await serve(json({ data }));
    expect(await clientFor(apple.url).buildUpload('u')).toEqual({
      id: 'u',
      version: '1.2',
      buildNumber: '7',
      state: 'FAILED',
      errors: [
        { code: '90189', description: 'Redundant.' },
        { code: null, description: null },
        { code: '90062', description: null },
      ],
      warnings: [{ code: null, description: 'W' }],
      buildId: 'b',
    });
  });

  it('announce a file, and take no operations that do not cover it', async () => {
    let length = 10;
    const apple = await serve((call, response) => {
      const url = 'https://upload.example.com/part?signature=s3cret';
      const uploadOperations = [{ method: 'PUT', url, offset: 0, length, partNumber: 1, requestHeaders: [] }];
      json({ data: { id: 'f', attributes: { uploadOperations } } }, 201)(call, response);
    });
    const records: NewSubmissionRequest[] = [];
    const client = clientFor(apple.url, records);
    const file = await client.createBuildUploadFile('u', { fileName: 'App.ipa', sizeInBytes: 10 });
    expect(file.operations).toHaveLength(1);
    expect(JSON.parse(apple.calls[0]?.body.toString() ?? '')).toEqual({
      data: {
        type: 'buildUploadFiles',
        attributes: { assetType: 'ASSET', fileName: 'App.ipa', fileSize: 10, uti: 'com.apple.ipa' },
        relationships: { buildUpload: { data: { type: 'buildUploads', id: 'u' } } },
      },
    });
    expect(JSON.stringify(records)).not.toContain('s3cret');
    length = 9;
    const { refusal } = await refusalFrom(
      client.createBuildUploadFile('u', { fileName: 'App.ipa', sizeInBytes: 10 }),
    );
    expect(refusal.code).toBe('store_answer_unusable');
  });

  it('write what Apple documents', async () => {
    const apple = await serve((call, response) =>
      call.url.endsWith('/buildUploads')
        ? json({ data: { id: 'u', attributes: { state: { state: 'AWAITING_UPLOAD' } } } }, 201)(
            call,
            response,
          )
        : response.writeHead(204).end(),
    );
    const client = clientFor(apple.url);
    await client.createBuildUpload('5', 'visionos', { version: '1.2', buildNumber: '7' });
    await client.markUploaded('f');
    await client.answerCompliance('b', false);
    await client.createBetaLocalization('b', 'de-DE', 'Neu');
    await client.updateBetaLocalization('l', 'Neuer');
    await client.submitForBetaReview('b');
    await client.addToGroup('g', 'b');
    await client.deleteBuildUpload('u');
    const bodyOf = ({ body }: Call): unknown => (body.length === 0 ? null : JSON.parse(body.toString()).data);
    const build = { build: { data: { type: 'builds', id: 'b' } } };
    expect(apple.calls.map((call) => [call.method, call.url, bodyOf(call)])).toEqual([
      [
        'POST',
        '/base/v1/buildUploads',
        {
          type: 'buildUploads',
          attributes: { cfBundleShortVersionString: '1.2', cfBundleVersion: '7', platform: 'VISION_OS' },
          relationships: { app: { data: { type: 'apps', id: '5' } } },
        },
      ],
      [
        'PATCH',
        '/base/v1/buildUploadFiles/f',
        { type: 'buildUploadFiles', id: 'f', attributes: { uploaded: true } },
      ],
      [
        'PATCH',
        '/base/v1/builds/b',
        { type: 'builds', id: 'b', attributes: { usesNonExemptEncryption: false } },
      ],
      [
        'POST',
        '/base/v1/betaBuildLocalizations',
        {
          type: 'betaBuildLocalizations',
          attributes: { locale: 'de-DE', whatsNew: 'Neu' },
          relationships: build,
        },
      ],
      [
        'PATCH',
        '/base/v1/betaBuildLocalizations/l',
        { type: 'betaBuildLocalizations', id: 'l', attributes: { whatsNew: 'Neuer' } },
      ],
      [
        'POST',
        '/base/v1/betaAppReviewSubmissions',
        { type: 'betaAppReviewSubmissions', relationships: build },
      ],
      ['POST', '/base/v1/betaGroups/g/relationships/builds', [{ type: 'builds', id: 'b' }]],
      ['DELETE', '/base/v1/buildUploads/u', null],
    ]);
  });
});
