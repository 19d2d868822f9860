import { newLimits } from '../../../../test/support/limits.js';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { Config } from '../../../config/config.js';
import { HostResolver } from './host-resolver.js';
import { Outbound, type OutboundRequest, type OutboundResponse } from './outbound.js';
import { OutboundRefusedError } from './outbound-refused.error.js';

const servers: Server[] = [];
const sockets = new Set<Socket>();

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const serve = (text: string): Promise<number> =>
  listen(createHttpServer((request, response) => response.end(`${text} ${request.url}`)));

/** What the calls of stores need to know. */
interface Stores {
  readonly playUrl?: string;
  readonly proxyUrl?: string;
  readonly allow?: string;
  readonly uploadHosts?: string;
  readonly addresses?: string[];
}

function call(
  url: string,
  { playUrl, proxyUrl, allow, uploadHosts, addresses }: Stores,
  more: Partial<OutboundRequest> = {},
): Promise<OutboundResponse> {
  const config = new Config();
  config.outbound.allow = allow ?? null;
  config.stores.googlePlayUrl = playUrl ?? config.stores.googlePlayUrl;
  config.stores.proxyUrl = proxyUrl ?? null;
  config.stores.uploadHosts = uploadHosts ?? config.stores.uploadHosts;
  const resolver = new HostResolver(newLimits());
  resolver.resolve = (_, host) => Promise.resolve(addresses ?? [host]);
  return new Outbound(config, resolver)
    .of('organization')
    .request({ purpose: 'store', url, maxBytes: 1000, timeoutMs: 2000, ...more });
}

async function errorOf(work: Promise<unknown>): Promise<OutboundRefusedError> {
  const error = await work.then(
    () => new Error('It was not refused.'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OutboundRefusedError);
  return error as OutboundRefusedError;
}

/** A proxy that connects everything to this machine, and keeps what it was asked for. */
async function startProxy(): Promise<{ url: string; asked: string[]; requests: IncomingMessage[] }> {
  const asked: string[] = [];
  const requests: IncomingMessage[] = [];
  const proxy = createHttpServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    requests.push(request);
    response.end('through the proxy');
  });
  proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
    asked.push(`CONNECT ${request.url}`);
    requests.push(request);
    const target = connect(Number(request.url?.split(':').at(-1)), '127.0.0.1');
    sockets.add(target.on('error', () => socket.destroy()));
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    socket.pipe(target).pipe(socket);
  });
  return { url: `http://127.0.0.1:${await listen(proxy)}`, asked, requests };
}

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

describe('calls of stores', () => {
  it('reach a configured address in a private network, by http', async () => {
    const port = await serve('store');
    const playUrl = `http://127.0.0.1:${port}/base`;
    expect(await (await call(`http://127.0.0.1:${port}/x`, { playUrl })).text()).toBe('store /x');
    const named = { playUrl: `http://play.corp:${port}`, addresses: ['127.0.0.1'] };
    expect(await (await call(`http://play.corp:${port}/x`, named)).text()).toBe('store /x');
  });

  it('trust exactly scheme, host and port of a configured address, and only for stores', async () => {
    const port = await serve('store');
    const other = await serve('other');
    const playUrl = `http://127.0.0.1:${port}`;
    for (const url of [
      `http://127.0.0.1:${other}/`,
      `https://127.0.0.1:${port}/`,
      `http://localhost:${port}/`,
    ]) {
      expect((await errorOf(call(url, { playUrl, addresses: ['127.0.0.1'] }))).kind).toBe('address');
    }
    expect((await errorOf(call(`${playUrl}/`, { playUrl }, { purpose: 'git' }))).kind).toBe('address');
    expect((await errorOf(call('http://play.example.com/', { addresses: ['1.1.1.1'] }))).kind).toBe('url');
  });

  it('never reach a metadata service, although it is configured', async () => {
    const url = 'http://169.254.169.254/';
    expect((await errorOf(call(url, { playUrl: url, allow: 'store=169.254.0.0/16' }))).kind).toBe('address');
    const named = { playUrl: 'http://play.corp', addresses: ['169.254.169.254'] };
    expect((await errorOf(call('http://play.corp/', named))).kind).toBe('address');
  });

  it('reach what OUTBOUND_ALLOW names for stores', async () => {
    const port = await serve('allowed');
    const url = `http://127.0.0.1:${port}/`;
    expect((await errorOf(call(url, { allow: 'git=127.0.0.1' }))).reason).toContain('add store=127.0.0.1 to');
    expect(await (await call(url, { allow: 'store=127.0.0.1' })).text()).toBe('allowed /');
  });
});

describe('calls of stores through a proxy', () => {
  it('leave names to the proxy, and sign in to it', async () => {
    const proxy = await startProxy();
    const proxyUrl = proxy.url.replace('://', '://user:pass%40word@');
    const stores = { proxyUrl, playUrl: 'http://play.corp/base' };
    const response = await call('http://play.corp/base/x?y=z', stores, {
      method: 'POST',
      headers: { authorization: 'Bearer token' },
      body: 'hello',
    });
    expect(await response.text()).toBe('through the proxy');
    expect(proxy.asked).toEqual(['POST http://play.corp/base/x?y=z']);
    expect(proxy.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer token',
      'proxy-authorization': `Basic ${Buffer.from('user:pass@word').toString('base64')}`,
    });
  });

  it('tunnel https, so that the proxy sees the host only', async () => {
    const proxy = await startProxy();
    let name = '';
    const port = await listen(
      createHttpsServer({
        SNICallback: (asked, done) => {
          name = asked;
          done(null);
        },
      }),
    );
    // The server has no certificate, so the connection fails after the tunnel.
    const url = `https://play.example.com:${port}/secret`;
    const stores = { proxyUrl: proxy.url, uploadHosts: 'example.com' };
    const error = await errorOf(call(url, stores, { headers: { authorization: 'Bearer token' } }));
    expect(error.kind).toBe('connection');
    expect(name).toBe('play.example.com');
    expect(proxy.asked).toEqual([`CONNECT play.example.com:${port}`]);
    expect(JSON.stringify(proxy.requests[0]?.headers)).not.toContain('token');
  });

  it('are refused as without a proxy', async () => {
    const proxy = await startProxy();
    const stores = { proxyUrl: proxy.url, playUrl: 'http://169.254.169.254' };
    const refused = [
      'https://169.254.169.254/',
      'http://169.254.169.254/',
      'https://10.0.0.1/',
      'https://[::1]/',
      'https://localhost/',
      'https://db.internal/',
      'http://play.example.com/',
      'https://metadata.google.internal/',
    ];
    for (const url of refused) expect(['address', 'url']).toContain((await errorOf(call(url, stores))).kind);
    expect(proxy.asked).toEqual([]);
  });

  it('reach the configured stores, the hosts of their uploads, and what OUTBOUND_ALLOW names; nothing else', async () => {
    const proxy = await startProxy();
    const closed = createTcpServer();
    const port = await listen(closed);
    closed.close();
    const stores = {
      proxyUrl: proxy.url,
      playUrl: 'https://play.example.com',
      uploadHosts: 'Apple.com, uploads.example.net',
      allow: 'store=*.corp.example,git=git.example',
    };
    const served = [
      'https://play.example.com/x',
      `https://apple.com:${port}/`,
      `https://a.b.APPLE.com.:${port}/`,
      `https://uploads.example.net:${port}/`,
      `https://s3.corp.example:${port}/`,
    ];
    for (const url of served) expect((await errorOf(call(url, stores))).kind).not.toBe('address');
    expect(proxy.asked).toHaveLength(served.length);
    const refused = [
      'https://example.com/',
      'https://play.example.com:8443/',
      'https://notapple.com/',
      'https://apple.com.example.org/',
      'https://example.net/',
      'https://git.example/',
      'https://1.1.1.1/',
      'https://[2606:4700::1]/',
    ];
    for (const url of refused) {
      const { kind, reason } = await errorOf(call(url, stores));
      expect(kind).toBe('address');
      expect(reason).toMatch(/add it to STORE_UPLOAD_HOSTS|add store=\S+ to OUTBOUND_ALLOW/);
    }
    expect((await errorOf(call('http://apple.com/', stores))).kind).toBe('url');
    expect(proxy.asked).toHaveLength(served.length);
  });

  it('are the only ones that use it', async () => {
    const proxy = await startProxy();
    const port = await serve('direct');
    const stores = { proxyUrl: proxy.url, allow: '127.0.0.1' };
    const response = await call(`http://127.0.0.1:${port}/`, stores, { purpose: 'git' });
    expect(await response.text()).toBe('direct /');
    expect(proxy.asked).toEqual([]);
  });

  it('report a proxy that refuses, closes, or is not there', async () => {
    const reason = 'play.example.com cannot be reached through the proxy of this server.';
    const refusing = createHttpServer().on('connect', (_, socket: Socket) => {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    });
    const closing = createTcpServer((socket) => socket.destroy());
    for (const server of [refusing, closing]) {
      const proxyUrl = `http://user:secret@127.0.0.1:${await listen(server)}`;
      const error = await errorOf(
        call('https://play.example.com/', { proxyUrl, uploadHosts: 'example.com' }),
      );
      expect(error.kind).toBe('connection');
      expect(error.reason).not.toContain('secret');
    }
    const gone = await listen(createTcpServer());
    servers.splice(0).forEach((server) => server.close());
    for (const url of ['https://play.example.com/', 'http://play.example.com/']) {
      const stores = {
        proxyUrl: `http://127.0.0.1:${gone}`,
        playUrl: 'http://play.example.com',
        uploadHosts: 'example.com',
      };
      expect(await errorOf(call(url, stores))).toMatchObject({ kind: 'connection', reason });
    }
  });

  it('end when the proxy does not answer, and keep no connection', async () => {
    const silent = createTcpServer();
    const closed = new Promise<void>((resolve) => {
      silent.on('connection', (socket: Socket) => socket.resume().on('close', () => resolve()));
    });
    const proxyUrl = `http://127.0.0.1:${await listen(silent)}`;
    const stores = { proxyUrl, uploadHosts: 'example.com' };
    const error = await errorOf(call('https://play.example.com/', stores, { timeoutMs: 100 }));
    expect(error.kind).toBe('timeout');
    await closed;
  });
});
