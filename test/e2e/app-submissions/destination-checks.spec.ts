import type { DestinationVerificationDto } from '../../../src/app-submissions/destination-checks/destination-check.dto.js';
import { createApp, type TestApp } from '../../builders/app.js';
import { createDestination } from '../../builders/destination.js';
import { createTenant } from '../../builders/identities.js';
import { uploadStoreKey } from '../../builders/store-key.js';
import { eventually } from '../../support/eventually.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError } from '../../support/http/expect-error.js';
import { OwnSite } from '../../support/servers/own-site.js';
import { type GooglePlay, startGooglePlay } from '../../support/stores/google-play/google-play.js';

let play: GooglePlay;
let site: OwnSite;
let app: TestApp;

beforeAll(async () => {
  play = await startGooglePlay();
  site = await OwnSite.start({ GOOGLE_PLAY_URL: play.url, GOOGLE_TOKEN_URL: play.tokenUrl });
  app = await createApp(await createTenant(site));
});
afterAll(async () => {
  await site.dispose();
  await play.stop();
});
beforeEach(async () => {
  await play.clear();
  play.addApp();
});

/** A destination that signs in with a key of the stand-in. */
async function destinationWith(
  { email, json } = play.addServiceAccount({ packages: ['com.example.app'] }),
  fields: object = {},
  of = app,
): Promise<{ id: string; email: string }> {
  const uploaded = await uploadStoreKey(of, 'google-service-account-keys', json);
  const { id: appGoogleServiceAccountKeyId } = expectCreated<{ id: string }>(uploaded);
  return { ...(await createDestination(of, { appGoogleServiceAccountKeyId, ...fields })), email };
}

async function verify(id: string, of = app): Promise<DestinationVerificationDto> {
  const response = await of.api.post(`${of.path}/destinations/${id}/verify`);
  expect(response.status).toBe(200);
  return response.body as DestinationVerificationDto;
}

const shortOf = ({ checks }: DestinationVerificationDto): string[] =>
  checks.map(({ name, ok }) => `${name} ${ok ? 'ok' : 'failed'}`);
const failedOf = ({ checks }: DestinationVerificationDto) => checks.find(({ ok }) => !ok);

it('says that everything is there, and opens no edit', async () => {
  const { id, email } = await destinationWith();
  const found = await verify(id);
  expect(found).toMatchObject({ ok: true, accountEmail: email, apps: [] });
  expect(shortOf(found)).toEqual(['configuration ok', 'sign_in ok', 'package ok', 'track ok']);
  expect(play.calls.map(({ call }) => call)).toEqual(['token', 'releases', 'releases']);
});

it('lists what the destination lacks, and checks what it can', async () => {
  const bare = await createDestination(app, {
    appGoogleServiceAccountKeyId: null,
    androidPackageName: null,
    googlePlayTrack: null,
  });
  expect(await verify(bare.id)).toEqual({
    ok: false,
    accountEmail: null,
    apps: [],
    checks: [
      {
        name: 'configuration',
        ok: false,
        message:
          'Submissions need androidPackageName, googlePlayTrack, appGoogleServiceAccountKeyId: set them at the destination.',
        storeMessage: null,
        link: null,
      },
    ],
  });
  expect(play.calls).toEqual([]);
  const { id } = await destinationWith(undefined, { googlePlayTrack: null });
  const found = await verify(id);
  expect(found.ok).toBe(false);
  expect(shortOf(found)).toEqual(['configuration failed', 'sign_in ok', 'package ok']);
});

it('names a key that Google does not accept', async () => {
  const key = play.addServiceAccount({ packages: ['com.example.app'] });
  const { id, email } = await destinationWith(key);
  play.accounts.revoke(email);
  const found = await verify(id);
  expect(shortOf(found)).toEqual(['configuration ok', 'sign_in failed']);
  expect(failedOf(found)).toMatchObject({
    message: expect.stringContaining('service account does not exist') as string,
    storeMessage: expect.stringContaining('account not found') as string,
    link: expect.stringMatching(/^https:/) as string,
  });
});

it('names an app that the account cannot see, and a track that the app does not have', async () => {
  const uninvited = await destinationWith(play.addServiceAccount({ packages: [] }));
  const hidden = await verify(uninvited.id);
  expect(shortOf(hidden)).toEqual(['configuration ok', 'sign_in ok', 'package failed']);
  expect(failedOf(hidden)?.message).toMatch(/Invite it in the Play Console|knows no app/);
  const { id } = await destinationWith(undefined, { googlePlayTrack: 'Beta testers: Köln/2' });
  const trackless = await verify(id);
  expect(shortOf(trackless)).toEqual(['configuration ok', 'sign_in ok', 'package ok', 'track failed']);
  expect(failedOf(trackless)?.message).toContain('no such track');
});

it.each(['html', 'cut', 'wrong-types', 'empty', 'truncated'] as const)(
  'stays an answer when the store gives %s',
  async (kind) => {
    const { id } = await destinationWith();
    for (const call of ['token', 'releases'] as const) {
      play.fail(kind, { call });
      const found = await verify(id);
      // Releases of other types are none, and none is no problem.
      if (call === 'token' || kind !== 'wrong-types') expect(found.ok).toBe(false);
      expect(failedOf(found)?.message ?? '.').toMatch(/\.$/);
      expect(JSON.stringify(found)).not.toMatch(/ya29|PRIVATE/);
      await play.clear();
      play.addApp();
      const again = await destinationWith();
      expect((await verify(again.id)).ok).toBe(true);
    }
  },
);

it('is not for Firebase and Huawei', async () => {
  for (const type of ['firebase-app-distribution', 'huawei-appgallery']) {
    const { id } = await createDestination(app, { type, appGoogleServiceAccountKeyId: null });
    const refused = await app.api.post(`${app.path}/destinations/${id}/verify`);
    expect(expectError(refused, 400, 'destination_type_unsupported').message).toContain(type);
  }
});

it('serves other organizations while the store does not answer', async () => {
  const { id } = await destinationWith();
  const other = await createApp(await createTenant(site));
  const key = play.addServiceAccount({ packages: ['com.example.app'] });
  const destination = await destinationWith(key, {}, other);
  const holds = [play.hold('token'), play.hold('token')];
  const held = Array.from({ length: 5 }, () => verify(id));
  await Promise.all(holds.map(({ arrived }) => arrived));
  expect((await verify(destination.id, other)).ok).toBe(true);
  expect(play.calls.filter(({ call }) => call === 'token')).toHaveLength(3);
  for (const { release } of holds) release();
  expect((await Promise.all(held)).map(({ ok }) => ok)).toEqual([true, true, true, true, true]);
  await eventually(() => expect(play.calls.filter(({ call }) => call === 'token')).toHaveLength(6));
});
