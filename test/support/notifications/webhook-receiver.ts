import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { LocalServer } from '../git/local-server.js';

/** A request that arrived completely. */
export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How a receiver responds to a request. */
export type Behaviour = (response: ServerResponse, request: ReceivedRequest) => unknown;

/** Responds with a status. */
const statuses =
  (status: number, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (response) =>
    response.writeHead(status, headers).end(`status ${status}`);

/** Receivers as they should be, and as they are. */
export const behaviours = {
  ok: (response: ServerResponse): unknown => response.end('ok'),
  status: statuses,
  /** Headers at once, and a body that never ends, fast. */
  flood: (response: ServerResponse): void => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    response.writeHead(200);
    more();
  },
  /** Headers at once, and one byte a second. */
  drip: (response: ServerResponse): void => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 1000);
    response.on('close', () => clearInterval(timer));
  },
  /** Nothing, for as long as the other side waits. */
  silent: () => undefined,
  reset: (response: ServerResponse): unknown => response.socket?.resetAndDestroy(),
  /** What is no HTTP. */
  garbage: (response: ServerResponse): unknown => response.socket?.end('220 smtp.example.com ready\r\n'),
  redirect: (to: string): Behaviour => statuses(302, { location: to }),
};

/** A server with any number of receivers, each with a path of its own. */
export class WebhookReceiver {
  private readonly received = new Map<string, ReceivedRequest[]>();
  private readonly behaviours = new Map<string, Behaviour>();

  private constructor(private server: LocalServer | null) {}

  static async start(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(null);
    receiver.server = await LocalServer.start(
      (request, response) => void receiver.receive(request, response),
    );
    return receiver;
  }

  /** The address of a receiver that behaves like this. @param name any name, of one receiver */
  url(name: string, behaviour: Behaviour = behaviours.ok): string {
    this.behaviours.set(`/${name}`, behaviour);
    return `${this.server?.origin}/${name}`;
  }

  /** From now on. */
  change(name: string, behaviour: Behaviour): void {
    this.behaviours.set(`/${name}`, behaviour);
  }

  /** What a receiver got, in the order of arrival. */
  of(name: string): readonly ReceivedRequest[] {
    return this.received.get(`/${name}`) ?? [];
  }

  /** The ids of the messages that a receiver got. */
  idsOf(name: string): string[] {
    return this.of(name).map(({ headers }) => String(headers['webhook-id']));
  }

  async stop(): Promise<void> {
    await this.server?.stop();
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined);
    const path = request.url ?? '';
    const body = await text(request).catch(() => null);
    if (body === null) return;
    const received = { headers: request.headers, body };
    this.received.set(path, [...(this.received.get(path) ?? []), received]);
    (this.behaviours.get(path) ?? behaviours.status(404))(response, received);
  }
}
