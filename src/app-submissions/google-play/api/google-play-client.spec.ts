import { createServer as createTcpServer, type Socket } from 'node:net';
import {
  clientFor,
  closeStores,
  json,
  listen,
  refusalFrom,
  serve,
} from '../../../../test/support/stores/store-servers.js';
import type { NewSubmissionRequest } from '../../submission-requests/submission-requests.service.js';
import { StoreUnreachableError } from '../../calls/store-session.js';

afterEach(closeStores);

describe('the client of Google Play', () => {
  it('sends what the API documents', async () => {
    const play = await serve((call, response) => {
      const answers: Record<string, object> = {
        'POST /edits': { id: '00123456789012345678901', expiryTimeSeconds: '1795600000' },
        'GET /edits/7/details': { defaultLanguage: 'de-DE', contactEmail: 'a@example.com' },
        'GET /edits/7/listings': { kind: 'x', listings: [{ language: 'de-DE' }, { language: 'en-US' }] },
        'GET /edits/7/bundles': { bundles: [{ versionCode: 3, sha256: 'A'.repeat(64) }, { versionCode: 4 }] },
        'GET /edits/7/apks': { apks: [{ versionCode: 5, binary: { sha256: 'b'.repeat(64) } }] },
        'GET /edits/7/tracks': { tracks: [{ track: 'production' }, { track: 'wear:production' }] },
        'GET /edits/7/tracks/wear:production': {
          track: 'wear:production',
          releases: [{ name: 'x', versionCodes: ['3'], status: 'inProgress', userFraction: 0.1 }],
        },
        'GET /tracks/internal/releases': {
          releases: [
            {
              releaseName: '1.0',
              releaseLifecycleState: 'RELEASE_LIFECYCLE_STATE_IN_REVIEW',
              activeArtifacts: [{ versionCode: 3 }],
            },
          ],
        },
        'PUT /edits/7/tracks/qa%20team': {},
        'POST /edits/7:validate': { id: '7' },
        'POST /edits/7:commit?changesInReviewBehavior=ERROR_IF_IN_REVIEW': { id: '7' },
        'POST /edits/7:commit?changesInReviewBehavior=CANCEL_IN_REVIEW_AND_SUBMIT&changesNotSentForReview=true':
          {
            id: '7',
          },
      };
      const path = call.url.replace('/androidpublisher/v3/applications/com.example.app', '');
      const answer = answers[`${call.method} ${path}`];
      if (call.method === 'DELETE') response.writeHead(204).end();
      else
        json(answer ?? { error: { message: `${call.method} ${path}` } }, answer ? 200 : 404)(call, response);
    });
    const client = clientFor(play.url);
    expect(await client.insertEdit()).toEqual({
      id: '00123456789012345678901',
      expiresAt: new Date(1795600000_000),
    });
    expect(await client.details('7')).toEqual({ defaultLanguage: 'de-DE' });
    expect(await client.listingLanguages('7')).toEqual(['de-DE', 'en-US']);
    expect(await client.artifacts('7', 'aab')).toEqual([
      { versionCode: 3, sha256: 'a'.repeat(64) },
      { versionCode: 4, sha256: null },
    ]);
    expect(await client.artifacts('7', 'apk')).toEqual([{ versionCode: 5, sha256: 'b'.repeat(64) }]);
    expect(await client.tracks('7')).toEqual(['production', 'wear:production']);
    expect(await client.track('7', 'wear:production')).toEqual({
      track: 'wear:production',
      releases: [{ name: 'x', versionCodes: [3], status: 'inProgress', userFraction: 0.1 }],
    });
    expect(await client.releases('internal')).toEqual([
      { name: '1.0', state: 'IN_REVIEW', versionCodes: [3] },
    ]);
    await client.updateTrack('7', 'qa team', {
      versionCodes: [3],
      status: 'inProgress',
      userFraction: 0.25,
      releaseNotes: [{ language: 'de-DE', text: 'Neu' }],
      inAppUpdatePriority: 5,
    });
    expect(JSON.parse(play.calls.at(-1)?.body.toString() ?? '')).toEqual({
      track: 'qa team',
      releases: [
        {
          versionCodes: ['3'],
          status: 'inProgress',
          userFraction: 0.25,
          releaseNotes: [{ language: 'de-DE', text: 'Neu' }],
          inAppUpdatePriority: 5,
        },
      ],
    });
    await client.validate('7');
    await client.commit('7', { cancelsReview: false });
    await client.commit('7', { cancelsReview: true, changesNotSentForReview: true });
    expect(play.calls.at(-1)?.headers['content-length']).toBe('0');
    await client.deleteEdit('7');
    expect(new Set(play.calls.map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer token-1']),
    );
  });

  it('keeps the path of a configured address', async () => {
    const play = await serve(json({ id: '1' }));
    await clientFor(`${play.url}/play/`).insertEdit();
    expect(play.calls[0]?.url).toBe('/play/androidpublisher/v3/applications/com.example.app/edits');
  });

  it.each(['..', '.', ''])('does not leave its path with the name "%s"', async (name) => {
    const play = await serve(json({}));
    expect((await refusalFrom(clientFor(play.url).releases(name))).refusal).toMatchObject({
      code: 'store_name_invalid',
      retry: 'never',
    });
    await clientFor(play.url).releases('../../edits?x=y#z');
    expect(play.calls.map(({ url }) => url)).toEqual([
      '/androidpublisher/v3/applications/com.example.app/tracks/..%2F..%2Fedits%3Fx%3Dy%23z/releases',
    ]);
  });

  it.each([
    ['a page', '<html>hello</html>'],
    ['nothing', ''],
    ['a list', '[]'],
    ['null', 'null'],
    ['truncated JSON', '{"id": "12'],
    ['an id of another kind', '{"id": {"a": 1}}'],
    ['an id that is a path', '{"id": "../../x"}'],
    ['no id', '{}'],
    ['very many values', `{"a":[${'{},'.repeat(300_000)}{}]}`],
  ])('repeats a call that got %s', async (_, text) => {
    const play = await serve((_call, response) => response.end(text));
    const { refusal, status } = await refusalFrom(clientFor(play.url).insertEdit());
    expect(refusal).toMatchObject({ code: 'store_answer_unusable', retry: 'again' });
    expect(status).toBe(200);
  });

  it('reads wrong types as nothing', async () => {
    const play = await serve(
      json({
        tracks: [{ track: 1e300 }, null, 3, { track: ['x'] }],
        bundles: [{ versionCode: -1 }, { versionCode: '7', sha256: 'zz' }, { versionCode: 1e20 }, []],
        releases: [{ status: 'sold' }, 7],
        defaultLanguage: [],
      }),
    );
    const client = clientFor(play.url);
    expect(await client.tracks('1')).toEqual(['1e+300']);
    expect(await client.artifacts('1', 'aab')).toEqual([{ versionCode: 7, sha256: null }]);
    expect((await client.track('1', 'x')).releases).toEqual([
      { name: null, versionCodes: [], status: null, userFraction: null },
      { name: null, versionCodes: [], status: null, userFraction: null },
    ]);
    expect(await client.listingLanguages('1')).toEqual([]);
    expect(await client.details('1')).toEqual({ defaultLanguage: null });
  });

  type Client = ReturnType<typeof clientFor>;

  it.each([
    ['tracks', (client: Client) => client.tracks('1')],
    ['releases', (client: Client) => client.releases('beta')],
    ['bundles', (client: Client) => client.artifacts('1', 'aab')],
    ['listings', (client: Client) => client.listingLanguages('1')],
  ])('repeats a call whose %s are no list', async (name, call) => {
    const play = await serve(json({ [name]: { items: [] } }));
    expect((await refusalFrom(call(clientFor(play.url)))).refusal.code).toBe('store_answer_unusable');
  });

  it('repeats a call for the tracks that gets none: every app has some', async () => {
    const play = await serve(json({}));
    expect((await refusalFrom(clientFor(play.url).tracks('1'))).refusal.code).toBe('store_answer_unusable');
  });

  it('follows no redirects', async () => {
    const other = await serve(json({ id: '1' }));
    const play = await serve((_, response) => response.writeHead(302, { Location: other.url }).end());
    expect((await refusalFrom(clientFor(play.url).insertEdit())).refusal.code).toBe('store_answer_unusable');
    expect(other.calls).toEqual([]);
  });

  it('ends answers that are too large', async () => {
    const play = await serve((_, response) => {
      const timer = setInterval(() => response.write('x'.repeat(1_000_000)), 1);
      response.on('close', () => clearInterval(timer));
    });
    await expect(clientFor(play.url).tracks('1')).rejects.toMatchObject({
      name: 'StoreUnreachableError',
      kind: 'size',
    });
  });

  it.each([
    ['closes the connection', (socket: Socket) => socket.destroy()],
    ['speaks no HTTP', (socket: Socket) => socket.end('hello\r\n\r\n')],
    ['cuts its answer', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"')],
  ])('reports a server that %s', async (_, speak) => {
    const url = await listen(createTcpServer((socket) => speak(socket)));
    const records: NewSubmissionRequest[] = [];
    const failed = clientFor(url, records).insertEdit();
    await expect(failed).rejects.toBeInstanceOf(StoreUnreachableError);
    await expect(failed).rejects.toMatchObject({ kind: 'connection' });
    expect(records).toEqual([
      expect.objectContaining({ status: null, error: expect.stringContaining('127.0.0.1') }),
    ]);
  });
});
