import { parse, build } from 'plist';
import type { Response } from 'supertest';
import { Api } from '../../support/http/api.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { signedMessage, testSigner } from '../../support/native-builds/android/test-signer.js';
import { OwnSite } from '../../support/servers/own-site.js';

const TOOLS = 'https://tools.example.com';
const UDID = '00008030-001A2D8E0C41802E';

let site: OwnSite;
let anonymous: Api;
beforeAll(async () => {
  site = await OwnSite.start({ UDID_CALLBACK_ORIGINS: TOOLS, LOG_LEVEL: 'debug' });
  anonymous = new Api(site.origin, null);
});
afterAll(() => site.dispose());

interface Profile {
  readonly PayloadType: string;
  readonly PayloadContent: {
    readonly URL: string;
    readonly DeviceAttributes: string[];
    readonly Challenge: string;
  };
}

const get = (callbackUrl: string): Promise<Response> =>
  Promise.resolve(
    anonymous
      .request('get', `/v1/ios-udid-profile?${new URLSearchParams({ callbackUrl }).toString()}`)
      .buffer(true)
      .responseType('blob'),
  );
async function profileFor(callbackUrl: string): Promise<Profile> {
  const response = await get(callbackUrl);
  expect(response.status).toBe(200);
  return parse((response.body as Buffer).toString()) as unknown as Profile;
}
const challengeFor = async (callbackUrl: string): Promise<string> =>
  (await profileFor(callbackUrl)).PayloadContent.Challenge;

/** What a device answers: signed with a certificate of its own. */
const answerOf = (members: Parameters<typeof build>[0]): Buffer =>
  signedMessage(Buffer.from(build(members)), testSigner('iPhone'));
const send = (body: Buffer, type = 'application/pkcs7-signature'): Promise<Response> =>
  Promise.resolve(
    anonymous
      .request('post', '/v1/ios-udid-profile/receive')
      .redirects(0)
      .set('Content-Type', type)
      .send(body),
  );

describe('a profile that asks for a UDID', () => {
  it('is one that devices take, and nothing stores', async () => {
    const response = await get(`${site.origin}/page`);
    expect(response.headers).toMatchObject({
      'content-type': expect.stringMatching(/^application\/x-apple-aspen-config/) as string,
      'cache-control': 'no-store',
    });
    expect(parse((response.body as Buffer).toString())).toMatchObject({
      PayloadType: 'Profile Service',
      PayloadVersion: 1,
      PayloadContent: {
        URL: `${site.origin}/v1/ios-udid-profile/receive`,
        DeviceAttributes: ['UDID', 'PRODUCT', 'VERSION'],
      },
    });
  });

  it.each([
    'https://evil.example.com/',
    `${TOOLS}.evil.example.com/`,
    'http://tools.example.com/',
    '/page',
    '',
  ])('is refused for %j', async (callbackUrl) => {
    const path = `/v1/ios-udid-profile?${new URLSearchParams({ callbackUrl }).toString()}`;
    expectInvalid(await anonymous.get(path), 'callbackUrl');
  });
});

describe('the answer of a device', () => {
  it.each(['text', 'data'])('leads it to the page with its UDID, with the challenge as %s', async (form) => {
    for (const origin of [site.origin, TOOLS]) {
      const challenge = await challengeFor(`${origin}/page?a=b`);
      const CHALLENGE = form === 'text' ? challenge : Buffer.from(challenge);
      const response = await send(answerOf({ UDID, PRODUCT: 'iPhone17,1', VERSION: '23A341', CHALLENGE }));
      expect([response.status, response.headers['location']]).toEqual([
        301,
        `${origin}/page?a=b&udid=${UDID}`,
      ]);
      expect(response.headers['cache-control']).toBe('no-store');
    }
  });

  it('is refused with another challenge', async () => {
    const CHALLENGE = await challengeFor(`${site.origin}/page`);
    const forged = Buffer.from(JSON.stringify(['https://evil.example.com/', 9e15])).toString('base64url');
    for (const other of [`${forged}.${CHALLENGE.split('.')[1]}`, `x${CHALLENGE}`, '', 'x'.repeat(10_000)]) {
      const response = await send(answerOf({ UDID, CHALLENGE: other }));
      expectError(response, 400, 'invalid_request');
      expect(response.headers['location']).toBeUndefined();
    }
  });

  it.each<[string, () => Buffer]>([
    ['nothing', () => Buffer.alloc(0)],
    ['a text', () => Buffer.from('<plist/>')],
    ['an unsigned list', () => Buffer.from(build({ UDID }))],
    ['a cut one', () => answerOf({ UDID }).subarray(0, 200)],
    ['one without a UDID', () => answerOf({ CHALLENGE: 'x' })],
    ['a UDID that is none', () => answerOf({ UDID: 'a&b=c', CHALLENGE: 'x' })],
    ['a UDID of another type', () => answerOf({ UDID: [UDID], CHALLENGE: 'x' })],
    ['endless nesting', () => Buffer.from('3080'.repeat(10_000), 'hex')],
  ])('is refused when it is %s', async (_what, make) => {
    expectError(await send(make()), 400, 'invalid_request');
  });

  it('has at most 64 KiB, and its own type', async () => {
    expectError(await send(Buffer.alloc(64 * 1024 + 1)), 413, 'too_large');
    expectError(await send(Buffer.from('{}'), 'application/json'), 415);
  });

  it('leaves no UDID in the database or the log', async () => {
    const own = '00008030-00FFEEDDCCBBAA99';
    const CHALLENGE = await challengeFor(`${site.origin}/page`);
    expect((await send(answerOf({ UDID: own, CHALLENGE }))).status).toBe(301);
    await anonymous.get(`/app-build-shares/unknown?udid=${own}`).catch(() => undefined);
    const tables = await site.query<{ name: string }>(
      `SELECT table_schema || '.' || table_name AS name FROM information_schema.tables
        WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    );
    expect(tables.length).toBeGreaterThan(20);
    for (const { name } of tables) {
      expect(await site.query(`SELECT 1 FROM ${name} AS t WHERE t::text LIKE $1`, [`%${own}%`])).toEqual([]);
    }
    expect(site.server.log.join('\n')).toContain('/v1/ios-udid-profile/receive');
    expect(site.server.log.join('\n')).not.toContain(own);
  });
});
