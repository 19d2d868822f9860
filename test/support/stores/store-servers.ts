import { newLimits } from '../limits.js';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import { GooglePlayClient } from '../../../src/app-submissions/google-play/api/google-play-client.js';
import { StoreRefusal } from '../../../src/app-submissions/calls/refusals/refusal.js';
import { StoreCalls } from '../../../src/app-submissions/calls/store-calls.service.js';
import type { StoreSession } from '../../../src/app-submissions/calls/store-session.js';
import type {
  NewSubmissionRequest,
  SubmissionRequestsService,
} from '../../../src/app-submissions/submission-requests/submission-requests.service.js';
import { HostResolver } from '../../../src/common/http/outbound/host-resolver.js';
import { Outbound } from '../../../src/common/http/outbound/outbound.js';
import { Config } from '../../../src/config/config.js';

/** A call that a server got. */
export interface Call {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}
export type Respond = (call: Call, response: ServerResponse) => void;

const servers: Server[] = [];
const sockets = new Set<Socket>();

/** Starts a server until `closeStores`. @returns its base URL */
export async function listen(server: Server): Promise<string> {
  servers.push(server);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a server that answers as the test says, and keeps its calls. */
export async function serve(respond: Respond): Promise<{ url: string; calls: Call[] }> {
  const calls: Call[] = [];
  const url = await listen(
    createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', headers } = request;
        const call = { method, url: request.url ?? '', headers, body: Buffer.concat(chunks) };
        calls.push(call);
        respond(call, response);
      });
    }),
  );
  return { url, calls };
}

/** Answers with JSON. */
export const json =
  (value: unknown, status = 200): Respond =>
  (_, response) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));

/** A configuration whose Google Play is at the address. */
export function configFor(url: string): Config {
  const config = new Config();
  config.stores.googlePlayUrl = url;
  config.stores.googleTokenUrl = `${url}/token`;
  return config;
}

/** A session that records in `records`. */
export function sessionFor(config: Config, records: NewSubmissionRequest[] = []): StoreSession {
  const recorder = {
    record: (_: string, call: NewSubmissionRequest) => Promise.resolve(void records.push(call)),
  } as unknown as SubmissionRequestsService;
  const calls = new StoreCalls(config, new Outbound(config, new HostResolver(newLimits())), recorder);
  return calls.of({ organizationId: 'o', submissionId: 's' });
}

/** A client of a Google Play at the address. */
export const clientFor = (url: string, records?: NewSubmissionRequest[]): GooglePlayClient =>
  new GooglePlayClient(sessionFor(configFor(url), records), url, 'token-1', 'com.example.app');

/** The refusal that work ends with. */
export async function refusalFrom(work: Promise<unknown>): Promise<StoreRefusal> {
  const error = await work.then(
    () => new Error('It was not refused.'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StoreRefusal);
  return error as StoreRefusal;
}

/** Ends all servers and connections. */
export function closeStores(): void {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
}
