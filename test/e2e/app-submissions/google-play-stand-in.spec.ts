import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sha256 } from '../../support/sha256.js';
import { makeAab } from '../../support/native-builds/aab-writer.js';
import { makeApk } from '../../support/native-builds/apk-writer.js';
import { type GooglePlay, startGooglePlay } from '../../support/stores/google-play/google-play.js';
import { PlayCaller } from '../../support/stores/google-play/play-caller.js';
import { REFUSALS, type RefusalName } from '../../support/stores/google-play/refusals.js';
import type { ServiceAccountKey } from '../../support/stores/google-play/service-accounts.js';

const GRID = 256 * 1024;

let play: GooglePlay;
let key: ServiceAccountKey;
let caller: PlayCaller;

beforeAll(async () => {
  play = await startGooglePlay();
  key = play.addServiceAccount({ packages: ['com.example.app'] });
});
afterAll(() => play.stop());

beforeEach(async () => {
  await play.clear();
  play.addApp({ languages: ['de-DE'] });
  caller = await PlayCaller.of(play, key);
  play.calls.length = 0;
});

async function insert(by = caller): Promise<string> {
  const { body } = await by.call('POST', 'edits');
  return body.id;
}

/** A bundle with a signature in name only, which takes no time. */
const aabOf = (versionCode: number, values: object = {}): Promise<Buffer> =>
  makeAab({ versionCode, entries: { 'META-INF/UPLOAD.RSA': Buffer.alloc(1) }, ...values });

const released = (versionCode: number, values: object = {}): object => ({
  track: 'production',
  releases: [{ status: 'completed', versionCodes: [String(versionCode)], ...values }],
});

/** Releases a version in an edit of its own. */
async function release(versionCode: number, values: object = {}, query = ''): Promise<string> {
  const edit = await insert();
  await caller.upload(`edits/${edit}/bundles`, await aabOf(versionCode));
  const { body } = await caller.call('PUT', `edits/${edit}/tracks/production`, released(versionCode, values));
  expect(body.track).toBe('production');
  const { status, body: error } = await caller.call('POST', `edits/${edit}:commit${query}`);
  expect([status, error.error?.message]).toEqual([200, undefined]);
  return edit;
}

const statesOf = async (track: string): Promise<string[]> =>
  (await caller.call('GET', `tracks/${track}/releases`)).body.releases.map(
    ({ activeArtifacts, releaseLifecycleState }) =>
      `${activeArtifacts.map(({ versionCode }) => versionCode).join()} ${releaseLifecycleState}`,
  );

test('a signed bundle goes to a track in an edit, and is read back without one', async () => {
  const edit = await insert();
  expect(edit).toMatch(/^0\d{19}$/);
  const bytes = await aabOf(42);
  const { body: bundle } = await caller.upload(`edits/${edit}/bundles`, bytes);
  expect([bundle.versionCode, bundle.sha256]).toEqual([42, sha256(bytes)]);
  await caller.upload(`edits/${edit}/apks/42/deobfuscationFiles/proguard`, Buffer.from('mapping'));
  await caller.call('PUT', `edits/${edit}/tracks/production`, released(42, { inAppUpdatePriority: 3 }));
  expect((await caller.call('POST', `edits/${edit}:validate`)).status).toBe(200);
  expect(await statesOf('production')).toEqual([]);
  expect((await caller.call('POST', `edits/${edit}:commit`)).status).toBe(200);
  expect(await statesOf('production')).toEqual(['42 RELEASE_LIFECYCLE_STATE_PUBLISHED']);
  expect(play.committed).toMatchObject([
    { editId: edit, track: 'production', symbols: ['proguard'], release: { inAppUpdatePriority: 3 } },
  ]);
  expect((await caller.call('POST', `edits/${edit}:commit`)).body.error.message).toContain(
    'already been successfully committed',
  );
});

test('an apk has its version code read, too', async () => {
  const edit = await insert();
  const bytes = await makeApk({ versionCode: 7, signed: 'v3' });
  const { body } = await caller.upload(`edits/${edit}/apks`, bytes);
  expect(body).toEqual({ versionCode: 7, binary: { sha1: expect.any(String), sha256: sha256(bytes) } });
  expect((await caller.call('GET', `edits/${edit}/apks`)).body.apks).toHaveLength(1);
});

test.each([
  ['nothing signed', () => makeAab({}), 'was not signed'],
  ['another app', () => aabOf(1, { packageName: 'com.example.other' }), 'wrong package name'],
  ['no zip', () => Promise.resolve(randomBytes(100)), 'not a valid ZIP'],
  ['an apk', () => makeApk({ signed: 'v2' }), "'bundletool build-apks'"],
])('refuses as a bundle: %s', async (_, make, message) => {
  const edit = await insert();
  const { status, body } = await caller.upload(`edits/${edit}/bundles`, await make());
  expect([status, body.error.message]).toEqual([403, expect.stringContaining(message)]);
});

describe('sign-in', () => {
  test.each([
    ['another audience', { aud: 'https://example.com/token' }, 'invalid_grant'],
    ['another scope', { scope: 'https://www.googleapis.com/auth/drive' }, 'invalid_scope'],
    ['more than an hour', { exp: Math.floor(Date.now() / 1000) + 7200 }, 'invalid_grant'],
    ['an expired assertion', { exp: Math.floor(Date.now() / 1000) - 600 }, 'invalid_grant'],
    ['an unknown account', { iss: 'unknown@example.com' }, 'invalid_grant'],
  ])('refuses %s', async (_, claims, error) => {
    const { status, body } = await caller.signIn(key, claims);
    expect([status, body.error]).toEqual([400, error]);
  });

  test('refuses the signature of another key, and keys that were deleted', async () => {
    const other = play.addServiceAccount();
    expect((await caller.signIn(other, { iss: key.email })).body.error).toBe('invalid_grant');
    play.accounts.revoke(other.email);
    expect((await caller.signIn(other)).body.error).toBe('invalid_grant');
  });

  test('a token ends, and only invited accounts see an app', async () => {
    const stranger = await PlayCaller.of(play, play.addServiceAccount());
    const { status, body } = await stranger.call('POST', 'edits');
    expect([status, body.error.message]).toEqual([403, 'The caller does not have permission']);
    expect((await caller.call('POST', 'edits', undefined, 'com.example.none')).status).toBe(404);
    play.accounts.expireTokens();
    expect((await caller.call('POST', 'edits')).status).toBe(401);
  });
});

describe('edits', () => {
  test('a new one ends the older one of the same account only, and a commit ends all', async () => {
    const colleague = await PlayCaller.of(play, play.addServiceAccount({ packages: ['com.example.app'] }));
    const theirs = await insert(colleague);
    const first = await insert();
    const second = await insert();
    const messages = async (): Promise<unknown[]> => [
      (await caller.call('GET', `edits/${first}/tracks`)).body.error?.message,
      (await colleague.call('GET', `edits/${theirs}/tracks`)).body.error?.message,
    ];
    expect(await messages()).toEqual(['This Edit has been deleted.', undefined]);
    expect((await caller.call('POST', `edits/${second}:commit`)).status).toBe(200);
    expect(await messages()).toEqual(['This Edit has been deleted.', 'This Edit has been deleted.']);
  });

  test('they expire, and end with a change in the Play Console', async () => {
    play.state.editSeconds = 0;
    const expired = await insert();
    play.state.editSeconds = 3600;
    const open = await insert();
    play.changeInConsole('com.example.app');
    expect((await caller.call('GET', `edits/${expired}`)).body.error.message).toContain('has expired');
    expect((await caller.call('GET', `edits/${open}`)).body.error.message).toContain('has been deleted');
  });

  test('two inserts return one edit when asked to', async () => {
    play.app('com.example.app').sharesEdits = true;
    expect(await insert()).toBe(await insert());
  });

  test('a used version code is refused, with the upload or with the commit', async () => {
    await release(42);
    const edit = await insert();
    const { body } = await caller.upload(`edits/${edit}/bundles`, await aabOf(42));
    expect(body.error.message).toContain('has already been used');
    expect((await caller.call('GET', `edits/${edit}/bundles`)).body.bundles).toHaveLength(1);
    await caller.upload(`edits/${edit}/bundles`, await aabOf(43));
    const next = await insert();
    expect((await caller.upload(`edits/${next}/bundles`, await aabOf(43))).status).toBe(200);
    play.app('com.example.app').burnsUploads = true;
    await caller.upload(`edits/${next}/bundles`, await aabOf(44));
    const last = await insert();
    expect((await caller.upload(`edits/${last}/bundles`, await aabOf(44))).status).toBe(403);
  });
});

describe('uploads', () => {
  const size = 3 * GRID + 1000;
  const bytes = randomBytes(size);
  const rangeOf = async (url: string): Promise<string | null> =>
    (await caller.send(url, { method: 'PUT', headers: { 'Content-Range': `bytes */${size}` } })).headers.get(
      'range',
    );
  let url: string;
  beforeEach(async () => {
    url = await caller.startUpload(`edits/${await insert()}/bundles`, size);
  });

  test('keep whole parts of 256 KiB, and say how far they are', async () => {
    expect(await rangeOf(url)).toBeNull();
    const { status, headers } = await caller.putChunk(url, bytes.subarray(0, GRID + 500), 0, size);
    expect([status, headers.get('range')]).toEqual([308, `bytes=0-${GRID - 1}`]);
    expect(await rangeOf(url)).toBe(`bytes=0-${GRID - 1}`);
  });

  test('refuse a gap, and repeat the result at the end', async () => {
    expect((await caller.putChunk(url, bytes.subarray(GRID), GRID, size)).status).toBe(503);
    const { status, text } = await caller.putChunk(url, bytes, 0, size);
    expect([status, text]).toEqual([403, expect.stringContaining('not a valid ZIP')]);
    expect((await caller.putChunk(url, bytes, 0, size)).text).toBe(text);
  });

  test('keep less than was sent, or lose the connection, when asked to', async () => {
    play.interrupt({ keepBytes: GRID });
    expect((await caller.putChunk(url, bytes, 0, size)).headers.get('range')).toBe(`bytes=0-${GRID - 1}`);
    play.interrupt({ cutAfterBytes: GRID + 10 });
    await expect(caller.putChunk(url, bytes.subarray(GRID), GRID, size)).rejects.toThrow('fetch failed');
    expect(await rangeOf(url)).toBe(`bytes=0-${2 * GRID - 1}`);
  });

  test('end with their edit, and with their address', async () => {
    await insert();
    const { body } = await caller.putChunk(url, bytes, 0, size);
    expect(body.error.message).toBe('This Edit has been deleted.');
    play.uploads.forget();
    expect((await caller.putChunk(url, bytes, 0, size)).status).toBe(404);
  });
});

describe('tracks', () => {
  const update = async (body: object): Promise<unknown[]> => {
    const edit = await insert();
    const { status, body: answer } = await caller.call('PUT', `edits/${edit}/tracks/production`, body);
    return [status, answer.error?.message];
  };

  test.each([
    ['another name', { track: 'beta', releases: [] }, 'does not match'],
    ['an unknown field', { track: 'production', notes: [] }, 'Unknown name "notes"'],
    ['an unknown status', released(1, { status: 'live' }), 'status'],
    [
      'a fraction of a completed release',
      released(1, { userFraction: 0.5 }),
      'must not have a user fraction',
    ],
    ['no fraction', released(1, { status: 'inProgress' }), 'needs a user fraction'],
    ['a fraction of 1', released(1, { status: 'inProgress', userFraction: 1 }), 'between 0 and 1'],
    ['a priority of 6', released(1, { inAppUpdatePriority: 6 }), 'between 0 and 5'],
    [
      'a language that is none',
      released(1, { releaseNotes: [{ language: 'x', text: '' }] }),
      'not currently supported',
    ],
  ])('refuse %s', async (_, body, message) => {
    expect(await update(body)).toEqual([400, expect.stringContaining(message)]);
  });

  test('know version codes and names when they are validated', async () => {
    const edit = await insert();
    expect((await caller.call('PUT', `edits/${edit}/tracks/production`, released(99))).status).toBe(200);
    expect((await caller.call('POST', `edits/${edit}:validate`)).status).toBe(404);
    await caller.call('PUT', `edits/${edit}/tracks/nightly`, { track: 'nightly', releases: [] });
    await caller.call('PUT', `edits/${edit}/tracks/production`, { track: 'production', releases: [] });
    expect((await caller.call('POST', `edits/${edit}:validate`)).body.error.message).toContain(
      'Track not found',
    );
  });

  test('a staged release keeps the completed one, and a higher completed one ends it', async () => {
    await release(1);
    await release(2, { status: 'inProgress', userFraction: 0.1 });
    expect(play.app('com.example.app').tracks.get('production')).toMatchObject([
      { status: 'inProgress', versionCodes: ['2'] },
      { status: 'completed', versionCodes: ['1'] },
    ]);
    await release(3);
    expect(await statesOf('production')).toEqual(['3 RELEASE_LIFECYCLE_STATE_PUBLISHED']);
  });

  test('check notes and the order of versions with the commit', async () => {
    await release(5);
    const edit = await insert();
    await caller.upload(`edits/${edit}/bundles`, await aabOf(4));
    await caller.upload(`edits/${edit}/bundles`, await aabOf(6));
    const commit = async (code: number, releaseNotes: object[]): Promise<string | undefined> => {
      await caller.call('PUT', `edits/${edit}/tracks/production`, released(code, { releaseNotes }));
      return (await caller.call('POST', `edits/${edit}:commit`)).body.error?.message;
    };
    expect(await commit(4, [])).toContain('existing users to upgrade');
    expect(await commit(6, [{ language: 'en-US', text: '😀'.repeat(501) }])).toContain('too long (max: 500)');
    expect(await commit(6, [{ language: 'fr-FR', text: 'Oui' }])).toContain('not associated with the app');
    // A refused commit leaves the edit as it was.
    expect(await commit(6, [{ language: 'de-DE', text: '😀'.repeat(500) }])).toBeUndefined();
  });
});

describe('reviews', () => {
  test('a running one refuses a commit only with ERROR_IF_IN_REVIEW', async () => {
    play.app('com.example.app').hasReviews = true;
    await release(1);
    expect(await statesOf('production')).toEqual(['1 RELEASE_LIFECYCLE_STATE_IN_REVIEW']);
    const edit = await insert();
    const query = '?changesInReviewBehavior=ERROR_IF_IN_REVIEW';
    const { status, body } = await caller.call('POST', `edits/${edit}:commit${query}`);
    expect([status, body.error.details[0]?.reason]).toEqual([400, 'CHANGES_ALREADY_IN_REVIEW']);
    play.finishReview('com.example.app', 'approved');
    expect((await caller.call('POST', `edits/${edit}:commit${query}`)).status).toBe(200);
  });

  test('after a rejection, changes are committed without being sent', async () => {
    const edit = await insert();
    const not = `edits/${edit}:commit?changesNotSentForReview=true`;
    expect((await caller.call('POST', not)).body.error.message).toContain('must not be set');
    play.app('com.example.app').isRejected = true;
    for (const path of [`edits/${edit}:validate`, `edits/${edit}:commit`]) {
      expect((await caller.call('POST', path)).body.error.message).toContain(
        'changesNotSentForReview to true',
      );
    }
    const validated = await caller.call('POST', `edits/${edit}:validate?changesNotSentForReview=true`);
    expect(validated.body.error.message).toContain('Unknown name "changesNotSentForReview"');
    await release(1, {}, '?changesNotSentForReview=true');
    expect(await statesOf('production')).toEqual(['1 RELEASE_LIFECYCLE_STATE_NOT_SENT_FOR_REVIEW']);
  });

  test('an app that was never published takes drafts only', async () => {
    play.app('com.example.app').isDraft = true;
    const edit = await insert();
    await caller.upload(`edits/${edit}/bundles`, await aabOf(1));
    await caller.call('PUT', `edits/${edit}/tracks/production`, released(1));
    expect((await caller.call('POST', `edits/${edit}:commit`)).body.error.message).toContain('status draft');
    await caller.call('PUT', `edits/${edit}/tracks/production`, released(1, { status: 'draft' }));
    expect((await caller.call('POST', `edits/${edit}:commit`)).status).toBe(200);
    expect(await statesOf('production')).toEqual(['1 RELEASE_LIFECYCLE_STATE_DRAFT']);
  });
});

describe('faults', () => {
  test('every refusal happens once, by its name', async () => {
    for (const name of Object.keys(REFUSALS) as RefusalName[]) {
      const { error } = REFUSALS[name];
      play.refuse(name, { call: 'insert' });
      const { status, body } = await caller.call('POST', 'edits');
      expect([status, body]).toEqual([error().code, error().body]);
      expect((await caller.call('POST', 'edits')).status).toBe(200);
    }
  });

  test('an answer is lost after the commit happened', async () => {
    const edit = await insert();
    await caller.upload(`edits/${edit}/bundles`, await aabOf(1));
    await caller.call('PUT', `edits/${edit}/tracks/production`, released(1));
    play.fail('lost-response', { call: 'commit' });
    await expect(caller.call('POST', `edits/${edit}:commit`)).rejects.toThrow('fetch failed');
    expect(play.committed).toHaveLength(1);
  });

  test.each(['cut', 'html', 'hang'] as const)('a call does nothing: %s', async (kind) => {
    play.fail(kind, { call: 'insert' });
    const answered = caller.call('POST', 'edits').then(
      ({ text }) => text,
      () => 'none',
    );
    const timeout = new Promise<string>((resolve) => setTimeout(resolve, 100, 'nothing'));
    expect(await Promise.race([answered, timeout])).toMatch(/^(none|nothing|<!doctype html>.*)$/s);
    expect(play.state.edits.size).toBe(0);
  });

  test.each([
    ['truncated', /^\{"id":"0\d+","e$/],
    ['wrong-types', /^\{"id":\{"text"/],
    ['empty', /^$/],
  ] as const)('answers garbage: %s', async (kind, expected) => {
    play.fail(kind, { call: 'insert', after: 1, times: 2 });
    expect(await insert()).toMatch(/^0/);
    const url = `${play.url}/androidpublisher/v3/applications/com.example.app/edits`;
    const init = { method: 'POST', headers: { Authorization: `Bearer ${caller.token}` } };
    expect(await (await fetch(url, init)).text()).toMatch(expected);
    expect(await (await fetch(url, init)).text()).toMatch(expected);
    expect(await insert()).toMatch(/^0/);
  });

  test('a call waits until it may go on', async () => {
    const held = play.hold('insert', 'after');
    const inserted = insert();
    await held.arrived;
    expect([play.state.edits.size, play.callsOf('insert')[0]?.status]).toEqual([1, 0]);
    held.release();
    expect(play.state.edits.has(await inserted)).toBe(true);
  });
});

test('refuses what the documents do not name', async () => {
  const statuses = [
    await caller.call('GET', 'edits'),
    await caller.call('PUT', 'edits'),
    await caller.call('POST', 'edits?packageName=x'),
    await caller.call('POST', `edits/${await insert()}:submit`),
    await caller.call('PUT', `edits/${await insert()}/tracks/production`, '{'),
  ].map(({ status }) => status);
  expect(statuses).toEqual([404, 404, 400, 404, 400]);
});

test('an outage forgets nothing', async () => {
  const edit = await insert();
  await play.pause();
  await expect(caller.call('POST', 'edits')).rejects.toThrow('fetch failed');
  await play.resume();
  expect((await caller.call('GET', `edits/${edit}`)).status).toBe(200);
});

test('a fault can be that of one app', async () => {
  play.addApp({ packageName: 'com.example.other' });
  play.refuse('unavailable', { call: 'insert', packageName: 'com.example.other' });
  expect((await caller.call('POST', 'edits')).status).toBe(200);
  expect((await caller.call('POST', 'edits', undefined, 'com.example.other')).status).toBe(503);
});

test('it is a program, too, which is controlled over HTTP', async () => {
  const main = join(import.meta.dirname, '../../support/stores/google-play/main.ts');
  const program = spawn(process.execPath, [main], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(createInterface(program.stdout), 'line')) as [string];
    const url = line.replace('GOOGLE_PLAY_URL=', '');
    const post = async (path: string, body: object): Promise<Response> =>
      fetch(`${url}/admin/${path}`, { method: 'POST', body: JSON.stringify(body) });
    await post('apps', { packageName: 'com.example.app' });
    const account = await (await post('service-accounts', { packages: ['com.example.app'] })).json();
    const other = await PlayCaller.of({ url, tokenUrl: `${url}/token` }, account as ServiceAccountKey);
    await post('refuse', { refusal: 'unavailable', call: 'insert' });
    expect((await other.call('POST', 'edits')).status).toBe(503);
    expect((await other.call('POST', 'edits')).status).toBe(200);
    expect(await (await fetch(`${url}/admin/committed`)).json()).toEqual([]);
  } finally {
    program.kill();
    await once(program, 'exit');
  }
});
