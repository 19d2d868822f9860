import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant } from '../../builders/identities.js';
import { createPlayDestination, endOfSubmission, importAab, submit } from '../app-submissions/submissions.js';
import { expectCreated } from '../http/expect-created.js';
import { filePart, form, send } from '../http/multipart.js';
import { importFile } from '../native-builds/imports.js';
import { makeIpa } from '../native-builds/ipa-writer.js';
import { OwnSite } from '../servers/own-site.js';
import { type AppStoreConnect, startAppStoreConnect } from './app-store-connect/app-store-connect.js';
import { type GooglePlay, startGooglePlay } from './google-play/google-play.js';

const ID = 'com.example.shop';

/** What readers of guides about releases have: an app in both stores, and a server that knows the stores. */
export class GuideStores {
  /** Approves what waits for its review. */
  private reviewer: NodeJS.Timeout | null = null;

  private constructor(
    readonly site: OwnSite,
    readonly app: TestApp,
    private readonly play: GooglePlay,
    private readonly apple: AppStoreConnect,
  ) {}

  /** @param hasReviews whether Google Play reviews releases */
  static async start({ hasReviews = false } = {}): Promise<GuideStores> {
    const [play, apple] = await Promise.all([startGooglePlay(), startAppStoreConnect()]);
    apple.processing.polls = 0;
    play.addApp({
      packageName: ID,
      hasReviews,
      tracks: { production: [{ status: 'completed', versionCodes: ['41'] }] },
    });
    apple.addApp({ bundleId: ID, versions: [{ versionString: '1.3.0', state: 'READY_FOR_DISTRIBUTION' }] });
    const site = await OwnSite.start({
      GOOGLE_PLAY_URL: play.url,
      GOOGLE_TOKEN_URL: play.tokenUrl,
      APP_STORE_CONNECT_URL: apple.url,
      RELEASE_WATCH_SECONDS: '1',
    });
    return new GuideStores(site, await createApp(await createTenant(site)), play, apple);
  }

  /** Destinations in Google Play, by name the track. */
  async addPlayDestinations(tracks: Readonly<Record<string, string>>): Promise<void> {
    const key = this.play.addServiceAccount({ packages: [ID] });
    for (const [name, googlePlayTrack] of Object.entries(tracks))
      await createPlayDestination(this.app, key, { name, googlePlayTrack, androidPackageName: ID });
  }

  async addAppleDestination(name: string, values: object = {}): Promise<void> {
    const { keyId, issuerId, p8 } = this.apple.addKey();
    const file = form([filePart(p8, `AuthKey_${keyId}.p8`)]);
    const key = await send(this.app.api, 'post', `${this.app.path}/apple-api-keys`, file);
    expectCreated(
      await this.app.api.post(`${this.app.path}/destinations`, {
        name,
        platform: 'ios',
        appAppleApiKeyId: expectCreated<{ id: string }>(key).id,
        appleApiKeyId: keyId,
        appleIssuerId: issuerId,
        ...values,
      }),
    );
  }

  /** @returns its id */
  importAab(versionCode: number): Promise<string> {
    return importAab(this.app, { packageName: ID, versionCode });
  }

  /** @returns its id */
  async importIpa(versionName: string, versionCode: string): Promise<string> {
    const facts = { packageName: ID, versionName, versionCode, usesNonExemptEncryption: false };
    const artifact = { type: 'ipa', fileName: 'App.ipa' };
    const ipa = await makeIpa({ profile: 'app-store', ...facts });
    const { id, job } = await importFile(this.app, ipa, { platform: 'ios', artifact });
    expect(job.status).toBe('succeeded');
    return id;
  }

  /** Submits a build, and waits until the store has it. */
  async submit(appBuildId: string, appDestinationName: string): Promise<void> {
    const releaseNotes = { default: 'Faster.' };
    const submission = await submit(this.app, { appBuildId, appDestinationName, releaseNotes });
    expect(await endOfSubmission(this.app, submission, 60_000)).toMatchObject({
      status: 'succeeded',
      statusMessage: null,
    });
  }

  /** From now on, Apple approves each version at once. */
  approveVersions(): void {
    this.reviewer = setInterval(() => {
      for (const { versionString, state } of this.apple.versionsOf(ID))
        if (state === 'WAITING_FOR_REVIEW') this.apple.reviewVersion(ID, versionString, 'approve');
    }, 200);
  }

  async stop(): Promise<void> {
    if (this.reviewer !== null) clearInterval(this.reviewer);
    await this.site.dispose();
    await this.play.stop();
    await this.apple.stop();
  }
}
