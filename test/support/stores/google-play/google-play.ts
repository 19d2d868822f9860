import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Faults, type FaultKind, type FaultTime, type Hold } from './faults.ts';
import {
  type CommittedRelease,
  type Lifecycle,
  type PlayApp,
  PlayState,
  type Release,
} from './publisher/play-state.ts';
import { REFUSALS, type RefusalName } from './refusals.ts';
import { send } from './reply.ts';
import type { Call } from './publisher/routes.ts';
import { serve } from './serve.ts';
import { type NewServiceAccount, type ServiceAccountKey, ServiceAccounts } from './service-accounts.ts';
import { Uploads } from './publisher/uploads.ts';

/** A request that came. */
export interface PlayCall {
  readonly call: Call;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
  /** 0 as long as there is no answer, and when there never is one. */
  status: number;
}

/** An app of the Play Console that a test wants. */
export type NewPlayApp = Partial<
  Pick<
    PlayApp,
    | 'packageName'
    | 'defaultLanguage'
    | 'isDraft'
    | 'isRejected'
    | 'hasReviews'
    | 'sharesEdits'
    | 'burnsUploads'
    | 'warnsOfSize'
  >
> & {
  readonly languages?: readonly string[];
  /** With their releases, beside the usual ones. */
  readonly tracks?: Readonly<Record<string, readonly Release[]>>;
};

const TRACKS = ['internal', 'alpha', 'beta', 'production', 'wear:production'];

/**
 * Google Play, as the public documents of its API describe it: version 3 of the Android Publisher API, and the endpoint
 * for tokens. The source of each rule stands beside it. What the documents do not name is refused.
 */
export class GooglePlay {
  readonly state = new PlayState();
  readonly accounts = new ServiceAccounts();
  readonly uploads = new Uploads();
  readonly faults = new Faults();
  /** All requests, in order. */
  readonly calls: PlayCall[] = [];
  /** Before each answer, in milliseconds. */
  latency = 0;
  /** Where addresses of uploads lead; `null`: to this server. */
  uploadOrigin: string | null = null;
  readonly url: string;
  readonly tokenUrl: string;
  private readonly server: Server;

  constructor(server: Server) {
    this.server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.tokenUrl = `${this.url}/token`;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void serve(this, request, response).catch((error: unknown) => {
        send(response, { status: 599, body: `The stand-in failed: ${String(error)}` });
      });
    });
  }

  /** What commits released, in order. */
  get committed(): readonly CommittedRelease[] {
    return this.state.committed;
  }

  addApp(values: NewPlayApp = {}): PlayApp {
    const {
      packageName = 'com.example.app',
      defaultLanguage = 'en-US',
      languages = [],
      tracks = {},
    } = values;
    const names = [...new Set([...TRACKS, ...Object.keys(tracks)])];
    const app: PlayApp = {
      packageName,
      defaultLanguage,
      languages: new Set([defaultLanguage, ...languages]),
      tracks: new Map(names.map((name) => [name, tracks[name] ?? []])),
      artifacts: new Map(),
      symbols: new Map(),
      isDraft: values.isDraft ?? false,
      isRejected: values.isRejected ?? false,
      hasReviews: values.hasReviews ?? false,
      isInReview: false,
      unfinishedUploads: 0,
      sharesEdits: values.sharesEdits ?? false,
      burnsUploads: values.burnsUploads ?? false,
      warnsOfSize: values.warnsOfSize ?? false,
    };
    this.state.apps.set(packageName, app);
    return app;
  }

  addServiceAccount(values?: NewServiceAccount): ServiceAccountKey {
    return this.accounts.add(values);
  }

  app(packageName: string): PlayApp {
    return this.state.app(packageName);
  }

  /** Google Play refuses a call with one of its sentences. */
  refuse(name: RefusalName, time: FaultTime = {}): void {
    const { calls, error } = REFUSALS[name];
    const [usual] = calls;
    this.faults.add({ error }, { ...(usual === undefined ? {} : { call: usual }), ...time });
  }

  /** Something else goes wrong with a call. */
  fail(kind: FaultKind, time: FaultTime = {}): void {
    this.faults.add({ kind }, time);
  }

  /** The next chunk of an upload arrives in part: the rest is dropped, or the connection ends there. */
  interrupt(
    chunk: { keepBytes: number } | { cutAfterBytes: number },
    time: Omit<FaultTime, 'call'> = {},
  ): void {
    this.faults.add({ chunk }, { ...time, call: 'putChunk' });
  }

  /** The next call waits, before it does its work or before its answer. */
  hold(call: Call, when: 'before' | 'after' = 'before', time: Omit<FaultTime, 'call'> = {}): Hold {
    return this.faults.hold({ ...time, call }, when);
  }

  /** A person changes something in the Play Console: open edits end. */
  changeInConsole(packageName: string, change: (app: PlayApp) => void = () => undefined): void {
    const app = this.app(packageName);
    change(app);
    this.state.invalidateEdits(app);
  }

  /** The review of everything that waits for it ends. */
  finishReview(packageName: string, outcome: 'approved' | 'rejected'): void {
    const app = this.app(packageName);
    app.isInReview = false;
    app.isRejected = outcome === 'rejected';
    const lifecycle: Lifecycle = outcome === 'approved' ? 'PUBLISHED' : 'NOT_APPROVED';
    for (const release of [...app.tracks.values()].flat()) {
      if (release.lifecycle === 'IN_REVIEW') release.lifecycle = lifecycle;
    }
  }

  callsOf(call: Call): PlayCall[] {
    return this.calls.filter((one) => one.call === call);
  }

  /** Forgets everything. */
  async clear(): Promise<void> {
    this.state.apps.clear();
    this.state.edits.clear();
    this.state.committed.length = 0;
    this.calls.length = 0;
    this.faults.clear();
    this.latency = 0;
    this.uploadOrigin = null;
    await this.uploads.clear();
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
    await this.uploads.clear();
  }
}

/** Starts it on a free port of 127.0.0.1. */
export async function startGooglePlay(port = 0): Promise<GooglePlay> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return new GooglePlay(server);
}
