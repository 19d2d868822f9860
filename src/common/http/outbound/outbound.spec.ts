import { newLimits } from '../../../../test/support/limits.js';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { Config } from '../../../config/config.js';
import { HostResolver } from './host-resolver.js';
import { Outbound, type OutboundRequest, type OutboundResponse } from './outbound.js';
import { OutboundRefusedError } from './outbound-refused.error.js';

const servers: Server[] = [];
const sockets = new Set<Socket>();

/** Resolves names as the test says, one answer after the other. */
class FakeResolver extends HostResolver {
  asked = 0;

  constructor(private readonly answers: string[][]) {
    super(newLimits());
  }

  override resolve(): Promise<string[]> {
    return Promise.resolve(this.answers[Math.min(this.asked++, this.answers.length - 1)] ?? []);
  }
}

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const serve = (listener: RequestListener): Promise<number> => listen(createServer(listener));
const speak = (speech: (socket: Socket) => void): Promise<number> => listen(createTcpServer(speech));

function outbound(
  allow: string | null = '127.0.0.0/8',
  resolver: HostResolver = new HostResolver(newLimits()),
): Outbound {
  const config = new Config();
  config.outbound.allow = allow;
  return new Outbound(config, resolver);
}

function call(
  url: string,
  more: Partial<OutboundRequest> = {},
  caller: Outbound = outbound(),
): Promise<OutboundResponse> {
  return caller.of('organization').request({ purpose: 'git', url, maxBytes: 1000, timeoutMs: 5000, ...more });
}

async function errorOf(work: Promise<unknown>): Promise<OutboundRefusedError> {
  const error = await work.then(
    () => new Error('It was not refused.'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OutboundRefusedError);
  return error as OutboundRefusedError;
}

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

describe('outbound calls', () => {
  it('sends the request and returns status, headers and body', async () => {
    const port = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const { host, authorization, 'accept-encoding': encoding } = request.headers;
        response.writeHead(201, { 'X-Test': 'yes' });
        response.end(JSON.stringify([request.method, request.url, host, authorization, encoding, body]));
      });
    });
    const response = await call(`http://127.0.0.1:${port}/a?b=c`, {
      method: 'POST',
      headers: { Authorization: 'Basic x' },
      body: 'hello',
    });
    expect(response.status).toBe(201);
    expect(response.headers['x-test']).toBe('yes');
    const sent = ['POST', '/a?b=c', `127.0.0.1:${port}`, 'Basic x', 'identity', 'hello'];
    expect(JSON.parse(await response.text())).toEqual(sent);
  });

  it.each([
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'https:///',
    'example.com',
    '',
    'https://user:secret@example.com/',
    'https://secret@example.com/',
  ])('refuses the address %s', async (url) => {
    const { kind, reason } = await errorOf(call(url));
    expect(kind).toBe('url');
    expect(reason).not.toContain('secret');
  });

  it('refuses what is not public, by name and by address, without naming the address', async () => {
    const port = await serve((_, response) => response.end('inside'));
    for (const host of ['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]']) {
      const error = await errorOf(call(`http://${host}:${port}/?token=secret`, {}, outbound(null)));
      expect(error.kind).toBe('address');
      expect(error.reason).not.toContain('secret');
    }
    const resolver = new FakeResolver([['10.11.12.13']]);
    const { reason } = await errorOf(call('https://git.example.com/', {}, outbound(null, resolver)));
    expect(reason).toBe(
      'git.example.com is not a public address. An operator of this server can allow it: add git=git.example.com to OUTBOUND_ALLOW.',
    );
  });

  it('needs https for what the operator did not allow', async () => {
    const { kind, reason } = await errorOf(
      call('http://git.example.com/', {}, outbound(null, new FakeResolver([['1.1.1.1']]))),
    );
    expect(kind).toBe('url');
    expect(reason).toBe(
      'git.example.com must be called with https. An operator of this server can allow http: add git=git.example.com to OUTBOUND_ALLOW.',
    );
  });

  it('connects to the address that it checked, even if the name resolves to another one later', async () => {
    const port = await serve((request, response) => response.end(request.headers.host));
    const resolver = new FakeResolver([['127.0.0.1'], ['169.254.169.254']]);
    const caller = outbound('git.example.com', resolver);
    const response = await call(`http://git.example.com:${port}/`, {}, caller);
    expect(await response.text()).toBe(`git.example.com:${port}`);
    expect(resolver.asked).toBe(1);
    expect((await errorOf(call(`http://git.example.com:${port}/`, {}, caller))).kind).toBe('address');
  });

  it('returns redirects instead of following them', async () => {
    const port = await serve((_, response) =>
      response.writeHead(302, { Location: 'http://169.254.169.254/latest/meta-data/' }).end(),
    );
    const response = await call(`http://127.0.0.1:${port}/`);
    expect(response.status).toBe(302);
    expect(await response.text()).toBe('');
  });

  it('uses no proxy of the environment', async () => {
    const proxy = await serve((_, response) => response.end('proxy'));
    const port = await serve((_, response) => response.end('direct'));
    Object.assign(process.env, { HTTP_PROXY: `http://127.0.0.1:${proxy}`, NODE_USE_ENV_PROXY: '1' });
    try {
      expect(await (await call(`http://127.0.0.1:${port}/`)).text()).toBe('direct');
    } finally {
      delete process.env['HTTP_PROXY'];
      delete process.env['NODE_USE_ENV_PROXY'];
    }
  });

  it('refuses bodies that announce more than is allowed, or send more', async () => {
    const announced = await speak((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10737418240\r\n\r\nxxx'),
    );
    expect((await errorOf(call(`http://127.0.0.1:${announced}/`))).kind).toBe('size');
    const endless = await serve((_, response) => {
      const timer = setInterval(() => response.write('x'.repeat(400)), 1);
      response.on('close', () => clearInterval(timer));
    });
    const response = await call(`http://127.0.0.1:${endless}/`);
    expect(await errorOf(response.text())).toMatchObject({
      kind: 'size',
      reason: 'The response of 127.0.0.1 is larger than 1000 bytes.',
    });
    const exact = await serve((_, response) => response.end('x'.repeat(1000)));
    expect(await (await call(`http://127.0.0.1:${exact}/`)).text()).toHaveLength(1000);
  });

  it('ends what takes too long: headers, a dripping body, a name', async () => {
    const timeoutMs = 200;
    const silent = await speak(() => undefined);
    expect((await errorOf(call(`http://127.0.0.1:${silent}/`, { timeoutMs }))).kind).toBe('timeout');
    const drip = await speak((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      setInterval(() => socket.writable && socket.write(`X-A: 1\r\n`), 20).unref();
    });
    expect((await errorOf(call(`http://127.0.0.1:${drip}/`, { timeoutMs }))).kind).toBe('timeout');
    const slow = await serve((_, response) => {
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const { text } = await call(`http://127.0.0.1:${slow}/`, { timeoutMs });
    expect((await errorOf(text())).kind).toBe('timeout');
    const unread = await call(`http://127.0.0.1:${slow}/`, { timeoutMs });
    await new Promise((resolve) => unread.stream.on('close', resolve));
    expect((await errorOf(unread.text())).kind).toBe('timeout');
    const slowest = { bytes: 1000, withinMs: timeoutMs };
    const tooSlow = { kind: 'timeout', reason: '127.0.0.1 sends too slowly, or nothing at all.' };
    expect(await errorOf(call(`http://127.0.0.1:${silent}/`, { slowest }))).toMatchObject(tooSlow);
    const dripping = await call(`http://127.0.0.1:${slow}/`, { slowest });
    expect(await errorOf(dripping.text())).toMatchObject(tooSlow);
    const resolver = new FakeResolver([]);
    resolver.resolve = () => new Promise(() => undefined);
    const named = call('https://git.example.com/', { timeoutMs }, outbound(null, resolver));
    expect((await errorOf(named)).kind).toBe('timeout');
  });

  it('ends headers that do not end', async () => {
    const port = await speak((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      for (let index = 0; index < 100; index++) socket.write(`X-${index}: ${'x'.repeat(1000)}\r\n`);
    });
    expect(await errorOf(call(`http://127.0.0.1:${port}/`))).toMatchObject({
      kind: 'connection',
      reason: '127.0.0.1 sends too many response headers.',
    });
  });

  it.each([
    ['no HTTP', 'hello, this is not HTTP\r\n\r\n', 'does not send a valid HTTP response'],
    ['another protocol', 'HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n', 'valid HTTP'],
    ['nothing', '', 'closed the connection too early'],
  ])('reports a server that answers with %s', async (_, answer, reason) => {
    const port = await speak((socket) => socket.end(answer));
    const error = await errorOf(call(`http://127.0.0.1:${port}/`));
    expect(error.kind).toBe('connection');
    expect(error.reason).toContain(reason);
  });

  it('reports a body that is cut off', async () => {
    const port = await speak((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc'));
    const response = await call(`http://127.0.0.1:${port}/`);
    expect(await errorOf(response.text())).toMatchObject({
      kind: 'connection',
      reason: '127.0.0.1 closed the connection too early.',
    });
  });

  it('reports a refused connection, an unknown name, and a server without TLS', async () => {
    const port = await serve((_, response) => response.end());
    expect(await errorOf(call(`https://127.0.0.1:${port}/`))).toMatchObject({
      reason: '127.0.0.1 does not speak TLS on this port.',
    });
    servers.splice(0).forEach((server) => server.close());
    expect(await errorOf(call(`http://127.0.0.1:${port}/`))).toMatchObject({
      kind: 'connection',
      reason: '127.0.0.1 refuses the connection.',
    });
    expect(await errorOf(call('https://no-such-host.invalid/'))).toMatchObject({
      kind: 'name',
      reason: 'The name no-such-host.invalid cannot be resolved.',
    });
  });

  it('asks a server with TLS for the certificate of the name, not of the address', async () => {
    let asked = '';
    const port = await listen(
      createTlsServer({
        SNICallback: (name, done) => {
          asked = name;
          done(null);
        },
      }),
    );
    const caller = outbound('git.example.com', new FakeResolver([['127.0.0.1']]));
    // The server has no certificate, so the connection fails.
    const error = await errorOf(call(`https://git.example.com:${port}/`, {}, caller));
    expect(error.kind).toBe('connection');
    expect(asked).toBe('git.example.com');
  });

  it('closes the connection when the caller destroys the stream', async () => {
    let closed: () => void;
    const closes = new Promise<void>((resolve) => (closed = resolve));
    const port = await serve((_, response) => {
      response.write('x');
      response.on('close', () => closed());
    });
    const { stream } = await call(`http://127.0.0.1:${port}/`);
    stream.destroy();
    await closes;
  });
});
