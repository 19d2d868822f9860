import type { Server } from 'node:http';
import type { FaultKind, FaultTime, Hold } from '../stand-in/faults.ts';
import type { Reply } from '../stand-in/reply.ts';
import { StandIn, startListening } from '../stand-in/stand-in.ts';
import { replyOf } from './google-error.ts';
import {
  type Artifact,
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
    | 'hasManagedPublishing'
    | 'sharesEdits'
    | 'burnsUploads'
    | 'warnsOfSize'
  >
> & {
  readonly languages?: readonly string[];
  /** With their releases, beside the usual ones. */
  readonly tracks?: Readonly<Record<string, readonly Release[]>>;
  /** Files that it has had, by version code. */
  readonly artifacts?: readonly Artifact[];
  readonly tracksWithoutCountries?: readonly string[];
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
      artifacts: new Map((values.artifacts ?? []).map((artifact) => [artifact.versionCode, artifact])),
      symbols: new Map(),
      isDraft: values.isDraft ?? false,
      isRejected: values.isRejected ?? false,
      hasReviews: values.hasReviews ?? false,
      hasManagedPublishing: values.hasManagedPublishing ?? false,
      isInReview: false,
      unfinishedUploads: 0,
      tracksWithoutCountries: new Set(values.tracksWithoutCountries),
      sharesEdits: values.sharesEdits ?? false,
      burnsUploads: values.burnsUploads ?? false,
      warnsOfSize: values.warnsOfSize ?? false,
    };
    this.state.apps.set(packageName, app);
    this.state.logTracks(app);
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
    this.state.logTracks(app);
    this.state.invalidateEdits(app);
  }

  /** A person sets what a track has. */
  setTrack(packageName: string, track: string, releases: readonly Release[]): void {
    this.changeInConsole(packageName, ({ tracks }) => void tracks.set(track, releases));
  }

  /** The review of everything that waits for it ends. Without this, it goes on for ever. */
  finishReview(packageName: string, outcome: 'approved' | 'rejected'): void {
    const app = this.app(packageName);
    app.isInReview = false;
    app.isRejected = outcome === 'rejected';
    const approved = app.hasManagedPublishing ? 'APPROVED_NOT_PUBLISHED' : 'PUBLISHED';
    moveAll(app, 'IN_REVIEW', outcome === 'approved' ? approved : 'NOT_APPROVED');
  }

  /** A person publishes what was approved, or sends what waits for that into a review. */
  publish(packageName: string): void {
    const app = this.app(packageName);
    moveAll(app, 'APPROVED_NOT_PUBLISHED', 'PUBLISHED');
    app.isInReview ||= app.hasReviews && moveAll(app, 'NOT_SENT_FOR_REVIEW', 'IN_REVIEW') > 0;
  }

  /** What a track has had, one state after the other, such as `42 inProgress 0.2, 41 completed`. */
  historyOf(packageName: string, track: string): string[] {
    return this.state.history
      .filter((one) => one.packageName === packageName && one.track === track)
      .map(({ releases }) => releases.join(', '));
  }

  /** Forgets everything. */
  async clear(): Promise<void> {
    this.state.apps.clear();
    this.state.edits.clear();
    this.state.committed.length = 0;
    this.state.history.length = 0;
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

/** @returns how many releases have moved */
function moveAll({ tracks }: PlayApp, from: Lifecycle, to: Lifecycle): number {
  const moved = [...tracks.values()].flat().filter(({ lifecycle }) => lifecycle === from);
  for (const release of moved) release.lifecycle = to;
  return moved.length;
}

function timeOf({ packageName, ...time }: PlayFaultTime): FaultTime<Call> {
  return packageName === undefined ? time : { ...time, about: packageName };
}
