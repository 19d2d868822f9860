import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createActor } from '../../builders/identities.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';

const CHUNK = 64 * 1024;
const upload = `/v1/apps/${randomUUID()}/bundles/${randomUUID()}/files`;

/** A connection that has sent the head of an upload, and collects the response. */
function beginUpload(length: string): { socket: Socket; received: () => string } {
  const { hostname, port } = new URL(testEnvironment().origin);
  const socket = connect(Number(port), hostname);
  let response = '';
  socket.on('data', (chunk: Buffer) => (response += chunk.toString()));
  // The server may reset the connection of a client that goes on sending.
  socket.on('error', () => undefined);
  socket.write(
    `POST ${upload} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/octet-stream\r\n${length}\r\n\r\n`,
  );
  return { socket, received: () => response };
}

function expectRefused(response: string): void {
  expect(response).toMatch(/^HTTP\/1\.1 401 /);
  expect(response).toMatch(/\r\nConnection: close\r\n/);
  const [, body = ''] = response.split('\r\n\r\n');
  expect(JSON.parse(body)).toMatchObject({ status: 401, code: 'not_authenticated' });
}

describe('the body of a caller without a valid token', () => {
  it('is not read without end', async () => {
    const { socket, received } = beginUpload('Transfer-Encoding: chunked');
    const chunk = Buffer.concat([
      Buffer.from(`${CHUNK.toString(16)}\r\n`),
      Buffer.alloc(CHUNK),
      Buffer.from('\r\n'),
    ]);
    let sent = 0;
    const limit = 256 * 1024 * 1024;
    while (!socket.destroyed && sent < limit) {
      sent += CHUNK;
      if (!socket.write(chunk))
        await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve));
    }
    socket.destroy();
    expectRefused(received());
    // The rest waited in buffers of the system.
    expect(sent).toBeLessThan(limit / 2);
  });

  it.each(['Transfer-Encoding: chunked', 'Content-Length: 100000000'])(
    'is not waited for: %s',
    async (length) => {
      const { socket, received } = beginUpload(length);
      await once(socket, 'close');
      expectRefused(received());
    },
  );

  it('keeps the connection open when it is short', async () => {
    const { socket, received } = beginUpload('Content-Length: 3');
    socket.write('abc');
    await once(socket, 'data');
    expect(received()).toMatch(/\r\nConnection: keep-alive\r\n/);
    socket.destroy();
  });
});

it('is at most 64 kB for a form', async () => {
  const { api } = await createActor();
  for (const client of [new Api(api.origin, null), api]) {
    const response = await client
      .request('post', '/login')
      .set('Content-Type', 'application/x-www-form-urlencoded')
      .send(`email=${'x'.repeat(64 * 1024)}`);
    expect(response.status).toBe(413);
  }
});
