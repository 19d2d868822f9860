import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant, type Tenant } from '../../builders/identities.js';
import { eventually } from '../eventually.js';
import { expectCreated } from '../http/expect-created.js';
import { filePart, form, send } from '../http/multipart.js';
import { importFile } from '../native-builds/imports.js';
import { makeAab } from '../native-builds/aab-writer.js';
import { freePort } from '../../setup/free-port.js';
import { OwnSite } from '../servers/own-site.js';
import { type GooglePlay, startGooglePlay } from './google-play/google-play.js';
import type { ServiceAccountKey } from './google-play/service-accounts.js';
import { type EndedSubmission, StoreApp, StoreSite, type TestStoreDeployment } from './store-submissions.js';

/** A server that submits to a Google Play of its own. */
export class PlaySite extends StoreSite {
  private constructor(
    site: OwnSite,
    readonly play: GooglePlay,
  ) {
    super(site);
  }

  static async start(env: Readonly<Record<string, string>> = {}): Promise<PlaySite> {
    const play = await startGooglePlay();
    const site = await OwnSite.start({
      PORT: String(await freePort()),
      GOOGLE_PLAY_URL: play.url,
      GOOGLE_TOKEN_URL: play.tokenUrl,
      ...env,
    });
    return new PlaySite(site, play);
  }

  async dispose(): Promise<void> {
    await this.site.dispose();
    await this.play.stop();
  }

  /** An app that is in the Play Console as well, with a service account. */
  async app(packageName: string, options: PlaySiteApp = {}): Promise<PublishedApp> {
    if (!this.play.state.apps.has(packageName)) this.play.addApp({ packageName, ...options.play });
    const key = options.key ?? this.play.addServiceAccount({ packages: [packageName] });
    const tenant = options.tenant ?? (await createTenant(this.site));
    const app = options.app ?? (await createApp(tenant));
    const published = new PublishedApp(this, app, packageName, key);
    await published.addDestination(options.destination);
    return published;
  }
}

/** What an app of `PlaySite` is to be like. */
export interface PlaySiteApp {
  /** Of the Play Console. */
  readonly play?: Parameters<GooglePlay['addApp']>[0];
  readonly key?: ServiceAccountKey;
  readonly tenant?: Tenant;
  readonly app?: TestApp;
  /** Values of its destination. */
  readonly destination?: object;
}

let names = 0;

/** An app with a destination in Google Play. */
export class PublishedApp extends StoreApp {
  constructor(
    readonly playSite: PlaySite,
    app: TestApp,
    readonly packageName: string,
    readonly key: ServiceAccountKey,
  ) {
    super(playSite, app);
  }

  /** Makes a destination, which deployments go to from now on: by default, a whole release on `production`. */
  async addDestination(values: object = {}): Promise<string> {
    const keyId = await this.uploadKey(this.key.json);
    const { id } = expectCreated<{ id: string }>(
      await this.app.api.post(`${this.app.path}/destinations`, {
        name: `Google Play ${++names}`,
        platform: 'android',
        androidPackageName: this.packageName,
        androidReleaseStatus: 'completed',
        googlePlayTrack: 'production',
        appGoogleServiceAccountKeyId: keyId,
        ...values,
      }),
    );
    this.destinationId = id;
    return id;
  }

  /** @param json of a service-account key @returns its id */
  async uploadKey(json: string): Promise<string> {
    const path = `${this.app.path}/google-service-account-keys`;
    const file = form([filePart(json, 'key.json')]);
    return expectCreated<{ id: string }>(await send(this.app.api, 'post', path, file)).id;
  }

  /** A signed aab, imported as a build. @returns the id of the build */
  async build(versionCode: number, values: object = {}): Promise<string> {
    const bytes = await makeAab({ packageName: this.packageName, versionCode, signed: true, ...values });
    const { id, job } = await importFile(this.app, bytes, {
      artifact: { type: 'aab', fileName: 'app.aab' },
    });
    expect(job).toMatchObject({ status: 'succeeded' });
    return id;
  }

  /** Builds, submits, and waits for the end. */
  async release(versionCode: number, values: object = {}): Promise<EndedSubmission> {
    return this.end(await this.deploy(await this.build(versionCode), values));
  }

  /** Asks for another share of users of a release. */
  patchShare(id: string, rolloutPercentage: unknown): ReturnType<TestApp['api']['patch']> {
    return this.app.api.patch(`${this.app.path}/deployments/${id}`, { rolloutPercentage });
  }

  /** Begins to give another share of users to a release. @returns the deployment, with the job of the change */
  async beginShare(id: string, share: number): Promise<TestStoreDeployment> {
    const { status, body } = await this.patchShare(id, share);
    const deployment = body as TestStoreDeployment;
    expect([status, deployment]).toEqual([200, expect.objectContaining({ id })]);
    const { openAction } = deployment.submission;
    if (openAction === null) throw new Error(`Nothing has changed by the share ${share}.`);
    return { ...deployment, jobId: openAction.jobId };
  }

  /** Gives another share of users to a release, and waits for the end. @returns the job and log of the change */
  async setShare(id: string, share: number, patience?: number): Promise<EndedSubmission> {
    return this.end(await this.beginShare(id, share), patience);
  }

  /** What a track has had, one state after the other, such as `42 inProgress 0.2, 41 completed`. */
  historyOf(track = 'production'): string[] {
    return this.playSite.play.historyOf(this.packageName, track);
  }

  /** Edits that are open. */
  get openEdits(): string[] {
    return [...this.playSite.play.state.edits.values()]
      .filter(({ app, state }) => app.packageName === this.packageName && state === 'open')
      .map(({ id }) => id);
  }

  /** Nothing is left of its submissions and changes: no edit, no turn, no open change. */
  async expectNothingLeft(): Promise<void> {
    await eventually(async () => {
      expect(this.openEdits).toEqual([]);
      const turns = await this.playSite.site.query(
        `SELECT FROM store_turns JOIN submissions ON submissions.id = submission_id WHERE package_name = $1`,
        [this.packageName],
      );
      expect(turns).toEqual([]);
    });
  }

  /** What commits have released of the app, such as `production 42 completed`. */
  get released(): string[] {
    return this.playSite.play.committed
      .filter(({ packageName }) => packageName === this.packageName)
      .map(({ track, release }) => `${track} ${release.versionCodes.join()} ${release.status}`);
  }
}
