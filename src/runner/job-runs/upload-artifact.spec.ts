import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { temporaryFolder } from '../../../test/support/processes/temporary-folders.js';
import { ApiClient } from '../api/api-client.js';
import { ApiHealth } from '../api/api-health.js';
import { JobApi } from '../api/job-api.js';
import { uploadArtifact } from './upload-artifact.js';

const MIB = 1024 ** 2;

it('sends a file in parts, each again if its connection breaks', async () => {
  const content = randomBytes(21 * MIB);
  const path = join(await temporaryFolder(), 'www.zip');
  writeFileSync(path, content);
  const received: { number: number; bytes: Buffer }[] = [];
  const jsons: object[] = [];
  let isBroken = false;

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', 'http://api');
    if (url.searchParams.get('action') !== 'mpu-uploadpart') {
      jsons.push(JSON.parse((await buffer(request)).toString()) as object);
      return void response.end('{"id":"artifact","uploadId":"upload"}');
    }
    if (received.length === 1 && !isBroken) {
      isBroken = true;
      await once(request, 'data');
      return void request.socket.destroy();
    }
    const headers = { 'Content-Type': request.headers['content-type'] ?? '' };
    const form = await new Response(new Uint8Array(await buffer(request)), { headers }).formData();
    const bytes = Buffer.from(await (form.get('blob') as Blob).arrayBuffer());
    const number = Number(form.get('partNumber'));
    received.push({ number, bytes });
    response.end(JSON.stringify({ partNumber: number, etag: `etag-${number}` }));
  };
  const server = createServer((request, response) => void respond(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const health = new ApiHealth(() => undefined);
  const { signal } = new AbortController();
  const api = new JobApi(new ApiClient(`http://127.0.0.1:${port}`, 'token', health), signal);
  let parts = 0;

  await uploadArtifact(api, { type: 'zip', fileName: 'www.zip', path }, () => parts++, signal);
  server.close();

  expect(received.map(({ number, bytes }) => [number, bytes.length / MIB])).toEqual([
    [1, 10],
    [2, 10],
    [3, 1],
  ]);
  expect(Buffer.concat(received.map(({ bytes }) => bytes)).equals(content)).toBe(true);
  expect([parts, isBroken]).toEqual([3, true]);
  const sha256 = createHash('sha256').update(content).digest('hex');
  expect(jsons[0]).toMatchObject({ fileSizeInBytes: content.length, sha256 });
  expect(jsons[2]).toEqual({
    parts: [1, 2, 3].map((number) => ({ partNumber: number, etag: `etag-${number}` })),
  });
});
