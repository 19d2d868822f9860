import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import {
  clientFor,
  closeStores,
  configFor,
  json,
  refusalFrom,
  serve,
  sessionFor,
} from '../../../../test/support/stores/store-servers.js';
import type { NewSubmissionRequest } from '../../submission-requests/submission-requests.service.js';
import { GooglePlayClient, UPLOAD_CHUNK_BYTES } from './google-play-client.js';

afterEach(closeStores);

describe('uploads to Google Play', () => {
  const GRID = 256 * 1024;
  const file = Buffer.alloc(3 * GRID + 100, 'abc');
  const sha256 = createHash('sha256').update(file).digest('hex');

  /** A session that keeps at most so many bytes of each call. */
  async function store(keeps = Infinity) {
    let kept = Buffer.alloc(0);
    const done = (response: ServerResponse): void => {
      const digest = createHash('sha256').update(kept).digest('hex');
      response.end(JSON.stringify({ versionCode: 7, sha1: 'c'.repeat(40), sha256: digest }));
    };
    return serve((call, response) => {
      if (call.method === 'POST') {
        response.writeHead(200, { Location: `http://${call.headers.host}/session?upload_id=s3cret` }).end();
        return;
      }
      const [, from] = /^bytes (\d+)-/.exec(call.headers['content-range'] ?? '') ?? [];
      if (from !== undefined && Number(from) !== kept.length) {
        response.writeHead(503).end();
        return;
      }
      kept = Buffer.concat([kept, call.body.subarray(0, keeps)]);
      if (kept.length === file.length) done(response);
      else response.writeHead(308, kept.length > 0 ? { Range: `bytes=0-${kept.length - 1}` } : {}).end();
    });
  }

  it('announces the file, sends its parts and returns what it has become', async () => {
    const play = await store();
    const records: NewSubmissionRequest[] = [];
    const client = clientFor(play.url, records);
    const session = await client.startUpload('7', 'aab', file.length);
    expect(play.calls[0]).toMatchObject({
      url: '/upload/androidpublisher/v3/applications/com.example.app/edits/7/bundles?uploadType=resumable',
      headers: {
        'x-upload-content-type': 'application/octet-stream',
        'x-upload-content-length': String(file.length),
        'content-length': '0',
      },
    });
    expect(await client.uploadedBytes(session, file.length)).toEqual({ done: false, receivedBytes: 0 });
    expect(play.calls.at(-1)?.headers).toMatchObject({
      'content-range': `bytes */${file.length}`,
      'content-length': '0',
    });
    const first = await client.putChunk(session, 0, file.subarray(0, 2 * GRID), file.length);
    expect(first).toEqual({ done: false, receivedBytes: 2 * GRID });
    const artifact = { versionCode: 7, sha1: 'c'.repeat(40), sha256 };
    const last = await client.putChunk(session, 2 * GRID, file.subarray(2 * GRID), file.length);
    expect(last).toEqual({ done: true, artifact });
    expect(await client.uploadedBytes(session, file.length)).toEqual({ done: true, artifact });
    expect(JSON.stringify(records)).not.toContain('s3cret');
    expect(records.at(-1)).toMatchObject({ method: 'PUT', url: `${play.url}/session`, requestBody: null });
  });

  it('goes on where the store is, which may be before the end of what was sent', async () => {
    const play = await store(GRID);
    const client = clientFor(play.url);
    const session = await client.startUpload('7', 'apk', file.length, { acknowledgesSizeWarning: true });
    expect(play.calls[0]?.url).toContain('/apks?uploadType=resumable&ackBundleInstallationWarning=true');
    let progress = await client.putChunk(session, 0, file.subarray(0, 3 * GRID), file.length);
    expect(progress).toEqual({ done: false, receivedBytes: GRID });
    const gap = await refusalFrom(client.putChunk(session, 3 * GRID, file.subarray(3 * GRID), file.length));
    expect(gap.refusal).toMatchObject({ code: 'store_failed', retry: 'again' });
    progress = await client.uploadedBytes(session, file.length);
    while (!progress.done) {
      const from = progress.receivedBytes;
      progress = await client.putChunk(session, from, file.subarray(from), file.length);
    }
    expect(progress.artifact?.sha256).toBe(sha256);
  });

  it('refuses parts off the grid before it sends them', async () => {
    const play = await store();
    const client = clientFor(play.url);
    expect(UPLOAD_CHUNK_BYTES % GRID).toBe(0);
    for (const [offset, bytes] of [
      [0, file.subarray(0, GRID + 1)],
      [0, Buffer.alloc(0)],
      [GRID, file],
    ] as const) {
      await expect(client.putChunk(`${play.url}/session`, offset, bytes, file.length)).rejects.toThrow(
        'grid',
      );
    }
    expect(play.calls).toEqual([]);
  });

  it('uploads symbols in the same way', async () => {
    const play = await serve((call, response) => {
      if (call.method === 'POST') response.writeHead(200, { Location: '/session' }).end();
      else response.end(JSON.stringify({ deobfuscationFile: { symbolType: 'proguard' } }));
    });
    const client = clientFor(play.url);
    const session = await client.startSymbolUpload('7', 3, 'proguard', 10);
    expect(session).toBe(`${play.url}/session`);
    expect(play.calls[0]?.url).toBe(
      '/upload/androidpublisher/v3/applications/com.example.app/edits/7/apks/3/deobfuscationFiles/proguard?uploadType=resumable',
    );
    expect(await client.putChunk(session, 0, Buffer.alloc(10), 10)).toEqual({ done: true, artifact: null });
  });

  it.each([
    ['a range from elsewhere', 308, { Range: 'bytes=5-9' }, ''],
    ['a range beyond the file', 308, { Range: 'bytes=0-10' }, ''],
    ['a range of words', 308, { Range: 'everything' }, ''],
    ['a success without a file', 200, {}, '{"kind": "x"}'],
    ['a success in HTML', 200, {}, '<html>'],
  ])('repeats a part that got %s', async (_, status, headers, text) => {
    const play = await serve((_call, response) => response.writeHead(status, headers).end(text));
    const { refusal } = await refusalFrom(
      clientFor(play.url).putChunk(`${play.url}/session`, 0, Buffer.alloc(10), 10),
    );
    expect(refusal).toMatchObject({ code: 'store_answer_unusable', retry: 'again' });
  });

  it.each([404, 410])('begins again when the session answers %i', async (status) => {
    const play = await serve((_, response) => response.writeHead(status).end());
    const { refusal } = await refusalFrom(clientFor(play.url).uploadedBytes(`${play.url}/session`, 10));
    expect(refusal).toMatchObject({ code: 'upload_lost', retry: 'again', does: 'new-upload' });
    const edit = await serve(json({ error: { message: 'This Edit has been deleted.' } }, status));
    const lost = await refusalFrom(clientFor(edit.url).uploadedBytes(`${edit.url}/session`, 10));
    expect(lost.refusal).toMatchObject({ code: 'edit_lost', does: 'new-edit' });
  });

  it.each([
    ['http elsewhere', (other: string) => `${other}/session`],
    ['credentials', (_: string, base: string) => base.replace('://', '://user:secret@')],
    ['another scheme', () => 'ftp://example.com/x'],
    ['a file', () => 'file:///etc/passwd'],
    ['the metadata service by http', () => 'http://169.254.169.254/latest/meta-data/'],
    ['nothing', () => ''],
    ['a very long address', () => `https://example.com/${'x'.repeat(5000)}`],
  ])('does not take %s for the address of an upload', async (_, locationOf) => {
    const other = await serve(json({}));
    const play = await serve((call, response) => {
      response.writeHead(200, { Location: locationOf(other.url, `http://${call.headers.host}`) }).end();
    });
    const { refusal } = await refusalFrom(clientFor(play.url).startUpload('7', 'aab', 10));
    expect(['upload_address_refused', 'store_answer_unusable']).toContain(refusal.code);
    expect(other.calls).toEqual([]);
  });

  it.each(['https://169.254.169.254/session', 'https://10.0.0.1/session', 'https://localhost/session'])(
    'does not call %s, which the guard refuses',
    async (session) => {
      const client = clientFor('http://127.0.0.1:1');
      await expect(client.putChunk(session, 0, Buffer.alloc(10), 10)).rejects.toMatchObject({
        name: 'StoreUnreachableError',
        kind: 'address',
      });
    },
  );

  it('sends no token to another host', async () => {
    const other = await serve((_, response) => response.writeHead(308).end());
    const play = await serve(json({}));
    const config = configFor(play.url);
    config.outbound.allow = 'store=127.0.0.1';
    const client = new GooglePlayClient(sessionFor(config), play.url, 'token-1', 'com.example.app');
    await client.uploadedBytes(`${other.url}/session`, 10);
    expect(other.calls).toHaveLength(1);
    expect(other.calls[0]?.headers.authorization).toBeUndefined();
  });
});
