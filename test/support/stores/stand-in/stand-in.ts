import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '../../../setup/free-port.ts';
import { type FaultKind, Faults, type FaultTime, type Hold } from './faults.ts';
import { type Reply, send } from './reply.ts';

/** A request that came. */
export interface StoreCall<Call extends string> {
  readonly call: Call;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
  /** 0 as long as there is no answer, and when there never is one. */
  status: number;
}

/**
 * A server that behaves like a store.
 *
 * @template Call the names of its calls
 * @template Special what can happen to its calls beside the usual faults
 */
export abstract class StandIn<Call extends string, Special = never> {
  readonly faults = new Faults<Call, Special>();
  /** All requests, in order. */
  readonly calls: StoreCall<Call>[] = [];
  /** Before each answer, in milliseconds. */
  latency = 0;
  readonly url: string;
  private readonly server: Server;

  constructor(server: Server, serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>) {
    this.server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      // Connections that end early are part of the game.
      request.on('error', () => undefined);
      void serve(request, response).catch((error: unknown) => {
        if (!response.headersSent) {
          send(response, { status: 599, body: `The stand-in failed: ${String(error)}` });
        }
      });
    });
  }

  callsOf(call: Call): StoreCall<Call>[] {
    return this.calls.filter((one) => one.call === call);
  }

  /** Something goes wrong with a call that the store does not refuse. */
  fail(kind: FaultKind, time: FaultTime<Call> = {}): void {
    this.faults.add({ kind }, time);
  }

  /** The next call waits, before it does its work or before its answer. */
  hold(call: Call, when: 'before' | 'after' = 'before', time: Omit<FaultTime<Call>, 'call'> = {}): Hold {
    return this.faults.hold({ ...time, call }, when);
  }

  /** What every answer of the store has beside its own, such as headers. */
  finish(reply: Reply, _request: IncomingMessage): Reply {
    return reply;
  }

  /** Ends all connections and takes no new ones, as in an outage. It forgets nothing. */
  async pause(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Listens again at its address. */
  async resume(): Promise<void> {
    this.server.listen(Number(new URL(this.url).port), '127.0.0.1');
    await once(this.server, 'listening');
  }

  async stop(): Promise<void> {
    await this.pause();
  }

  /** Forgets calls and faults. */
  protected reset(): void {
    this.calls.length = 0;
    this.faults.clear();
    this.latency = 0;
  }
}

/** A server on a port of 127.0.0.1. @param port 0: a free one */
export async function startListening(port = 0): Promise<Server> {
  const server = createServer().listen(port || (await freePort()), '127.0.0.1');
  await once(server, 'listening');
  return server;
}
