import type { Server } from 'node:http';
import type { FaultKind, FaultTime, Hold } from '../stand-in/faults.ts';
import type { Reply } from '../stand-in/reply.ts';
import { StandIn, startListening } from '../stand-in/stand-in.ts';
import { replyOf } from './google-error.ts';
import {
  type CommittedRelease,
  type Lifecycle,
  type PlayApp,
  PlayState,
  type Release,
} from './publisher/play-state.ts';
import { REFUSALS, type RefusalName } from './refusals.ts';
import type { Call } from './publisher/routes.ts';
import { serve } from './serve.ts';
import { type NewServiceAccount, type ServiceAccountKey, ServiceAccounts } from './service-accounts.ts';
import { type ChunkFault, Uploads } from './publisher/uploads.ts';

/** When a fault happens. */
export type PlayFaultTime = Omit<FaultTime<Call>, 'about'> & {
  /** Only calls about this app. */
  readonly packageName?: string;
};

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
export class GooglePlay extends StandIn<Call, ChunkFault> {
  readonly state = new PlayState();
  readonly accounts = new ServiceAccounts();
  readonly uploads = new Uploads();
  /** Where addresses of uploads lead; `null`: to this server. */
  uploadOrigin: string | null = null;
  readonly tokenUrl: string;

  constructor(server: Server) {
    super(server, (request, response) => serve(this, request, response));
    this.tokenUrl = `${this.url}/token`;
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
  refuse(name: RefusalName, time: PlayFaultTime = {}): void {
    const { calls, error } = REFUSALS[name];
    const [usual] = calls;
    const refuse = (): Reply => replyOf(error());
    this.faults.add({ refuse }, { ...(usual === undefined ? {} : { call: usual }), ...timeOf(time) });
  }

  override fail(kind: FaultKind, time: PlayFaultTime = {}): void {
    super.fail(kind, timeOf(time));
  }

  /** The next chunk of an upload arrives in part: the rest is dropped, or the connection ends there. */
  interrupt(
    chunk: { keepBytes: number } | { cutAfterBytes: number },
    time: Omit<PlayFaultTime, 'call'> = {},
  ): void {
    this.faults.add({ special: chunk }, { ...timeOf(time), call: 'putChunk' });
  }

  override hold(
    call: Call,
    when: 'before' | 'after' = 'before',
    time: Omit<PlayFaultTime, 'call'> = {},
  ): Hold {
    return super.hold(call, when, timeOf(time));
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

  /** Forgets everything. */
  async clear(): Promise<void> {
    this.state.apps.clear();
    this.state.edits.clear();
    this.state.committed.length = 0;
    this.reset();
    this.uploadOrigin = null;
    await this.uploads.clear();
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.uploads.clear();
  }
}

/** Starts it on a free port of 127.0.0.1. */
export async function startGooglePlay(port = 0): Promise<GooglePlay> {
  return new GooglePlay(await startListening(port));
}

function timeOf({ packageName, ...time }: PlayFaultTime): FaultTime<Call> {
  return packageName === undefined ? time : { ...time, about: packageName };
}
