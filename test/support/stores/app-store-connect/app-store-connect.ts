import type { IncomingMessage, Server } from 'node:http';
import type { FaultTime } from '../stand-in/faults.ts';
import type { Reply } from '../stand-in/reply.ts';
import { StandIn, startListening } from '../stand-in/stand-in.ts';
import { type ApiKeyFile, ApiKeys, type NewApiKey, newTeam, type Team } from './api-keys.ts';
import { replyOf } from './apple-error.ts';
import { HOSTILE_OPERATIONS, type HostileOperations } from './delivery/hostile-operations.ts';
import { type PlannedFailure, type Processing, USUAL_PROCESSING } from './delivery/processing.ts';
import type { UploadErrorCode } from './delivery/upload-errors.ts';
import { UploadStorage } from './delivery/upload-storage.ts';
import { RateLimits } from './rate-limits.ts';
import { REFUSALS, type RefusalName } from './refusals.ts';
import type { Call } from './resources/routes.ts';
import { serve } from './serve.ts';
import {
  decide,
  goLive,
  passDay,
  type ReviewBehavior,
  type ReviewDecision,
  USUAL_REVIEW,
} from './state/app-store/app-review.ts';
import { type DescribedVersion, describeVersion } from './state/app-store/describe-version.ts';
import type { StoreVersion } from './state/app-store/store-version.ts';
import type { BetaReview } from './state/builds.ts';
import { type AppleApp, ConnectState, type NewAppleApp, newApp } from './state/connect-state.ts';
import { type AcceptedBuild, describeBuild } from './state/describe-build.ts';
import type { UploadOperation } from './state/uploads.ts';

/**
 * App Store Connect, as Apple's public document of its API describes it, from the upload of a build to TestFlight and the
 * App Store. The
 * source of each rule stands beside it: shapes, parameters and limits are those of AvdLee/appstoreconnect-swift-sdk,
 * which is generated from that document. What the document does not name is refused.
 */
export class AppStoreConnect extends StandIn<Call> {
  readonly state = new ConnectState();
  readonly keys = new ApiKeys();
  readonly rates = new RateLimits();
  readonly storage: UploadStorage;
  /** How deliveries are processed from now on. */
  processing: Processing = { ...USUAL_PROCESSING };
  /** How App Review and the App Store behave from now on. */
  review: ReviewBehavior = { ...USUAL_REVIEW };
  readonly plannedFailures: PlannedFailure[] = [];
  /** Which operations answers have instead of the right ones. */
  hostileOperations: HostileOperations | null = null;
  /** Whether an upload that nothing was sent to keeps its build number from others; not documented. */
  blocksUnfinishedUploads = true;
  /** Every page names itself as the next one. */
  hasEndlessPages = false;
  private readonly firstTeam = newTeam();

  constructor(server: Server, storage: Server) {
    super(server, (request, response) => serve(this, request, response));
    this.storage = new UploadStorage(storage);
  }

  addTeam(): Team {
    return newTeam();
  }

  addKey(values: NewApiKey = {}): ApiKeyFile {
    return this.keys.add(values.team ?? this.firstTeam, values);
  }

  addApp(values: NewAppleApp = {}): AppleApp {
    const app = newApp(values.team ?? this.firstTeam, values);
    this.state.apps.set(app.id, app);
    return app;
  }

  /** The app with this bundle id. */
  app(bundleId: string): AppleApp {
    const app = [...this.state.apps.values()].find((one) => one.bundleId === bundleId);
    if (app === undefined) throw new Error(`There is no app ${bundleId}.`);
    return app;
  }

  /** Apple refuses a call with one of its errors. */
  refuse(name: RefusalName, time: FaultTime<Call> = {}): void {
    const { calls, error } = REFUSALS[name];
    const [usual] = calls;
    const refuse = (): Reply => replyOf(error());
    this.faults.add({ refuse }, { ...(usual === undefined ? {} : { call: usual }), ...time });
  }

  /** Apple finds these errors in the next files that are delivered. */
  failProcessing(codes: readonly UploadErrorCode[], time: { bundleId?: string; times?: number } = {}): void {
    this.plannedFailures.push({ codes, bundleId: time.bundleId ?? null, times: time.times ?? 1 });
  }

  /** A beta review goes on. */
  reviewBuild(buildId: string, state: BetaReview['state']): void {
    const builds = [...this.state.apps.values()].flatMap((app) => app.builds);
    const build = builds.find(({ id }) => id === buildId);
    if (build === undefined || build.review === null) throw new Error(`Build ${buildId} is not in review.`);
    build.review.state = state;
  }

  /** A version of an app for iOS. */
  version(bundleId: string, versionString: string): StoreVersion {
    const isIt = (one: StoreVersion): boolean =>
      one.versionString === versionString && one.platform === 'IOS';
    const version = this.app(bundleId).versions.find(isIt);
    if (version === undefined) throw new Error(`${bundleId} has no version ${versionString}.`);
    return version;
  }

  /** App Review decides about a version. */
  reviewVersion(bundleId: string, versionString: string, decision: ReviewDecision): void {
    decide(this.version(bundleId, versionString), decision, this.review);
  }

  /** A version goes live, whatever its state is. */
  goLive(bundleId: string, versionString: string): void {
    goLive(this.version(bundleId, versionString));
  }

  /** Days of a phased release are over. */
  passDays(bundleId: string, versionString: string, days = 1): void {
    for (let day = 0; day < days; day++) passDay(this.version(bundleId, versionString));
  }

  /** The versions of an app, as a person sees them, the oldest first. */
  versionsOf(bundleId: string): DescribedVersion[] {
    return this.app(bundleId).versions.map(describeVersion);
  }

  /** The builds of an app, as a person sees them in TestFlight. */
  buildsOf(bundleId: string): AcceptedBuild[] {
    return this.app(bundleId).builds.map(describeBuild);
  }

  /** How many requests named a key. */
  countCalls(keyId: string): number {
    return this.calls.filter(({ headers }) => this.keys.keyIdOf(headers.authorization) === keyId).length;
  }

  hostile(operations: readonly UploadOperation[]): readonly UploadOperation[] {
    return this.hostileOperations === null
      ? operations
      : HOSTILE_OPERATIONS[this.hostileOperations](operations);
  }

  /** Its own clock, and what is left of the key's calls. */
  override finish(reply: Reply, { headers }: IncomingMessage): Reply {
    const keyId = this.keys.keyIdOf(headers.authorization);
    return {
      ...reply,
      headers: {
        Date: this.keys.now().toUTCString(),
        ...(keyId === undefined ? {} : { 'X-Rate-Limit': this.rates.headerOf(keyId) }),
        ...reply.headers,
      },
    };
  }

  /** Forgets everything but keys. */
  async clear(): Promise<void> {
    this.reset();
    this.state.apps.clear();
    this.rates.clear();
    this.keys.clockOffset = 0;
    this.firstTeam.lacksAgreement = false;
    this.processing = { ...USUAL_PROCESSING };
    this.review = { ...USUAL_REVIEW };
    this.plannedFailures.length = 0;
    this.hostileOperations = null;
    this.blocksUnfinishedUploads = true;
    this.hasEndlessPages = false;
    await this.storage.clear();
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.storage.stop();
  }
}

/** Starts it on a free port of 127.0.0.1, and its storage on another one. */
export async function startAppStoreConnect(port = 0): Promise<AppStoreConnect> {
  return new AppStoreConnect(await startListening(port), await startListening());
}
