import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant, type Tenant } from '../../builders/identities.js';
import { expectCreated } from '../http/expect-created.js';
import { filePart, form, send } from '../http/multipart.js';
import { importFile } from '../native-builds/imports.js';
import { type IpaDescription, makeIpa } from '../native-builds/ipa-writer.js';
import { freePort } from '../../setup/free-port.js';
import { OwnSite } from '../servers/own-site.js';
import type { ApiKeyFile } from './app-store-connect/api-keys.js';
import { type AppStoreConnect, startAppStoreConnect } from './app-store-connect/app-store-connect.js';
import type { AppleApp, NewAppleApp } from './app-store-connect/state/connect-state.js';
import type { AcceptedBuild } from './app-store-connect/state/describe-build.js';
import { type EndedSubmission, StoreApp, StoreSite } from './store-submissions.js';

/** A server that submits to an App Store Connect of its own. */
export class AppleSite extends StoreSite {
  constructor(
    site: OwnSite,
    readonly connect: AppStoreConnect,
  ) {
    super(site);
  }

  static async start(env: Readonly<Record<string, string>> = {}): Promise<AppleSite> {
    const connect = await startAppStoreConnect();
    const site = await OwnSite.start({
      PORT: String(await freePort()),
      APP_STORE_CONNECT_URL: connect.url,
      ...env,
    });
    return new AppleSite(site, connect);
  }

  async dispose(): Promise<void> {
    await this.site.dispose();
    await this.connect.stop();
  }

  /** An app that is in App Store Connect as well, with an API key of its team. */
  async app(bundleId: string, options: AppleSiteApp = {}): Promise<TestFlightApp> {
    const known = [...this.connect.state.apps.values()].find((app) => app.bundleId === bundleId);
    const apple = known ?? this.connect.addApp({ bundleId, ...options.apple });
    const key = options.key ?? this.connect.addKey({ team: apple.team });
    const tenant = options.tenant ?? (await createTenant(this.site));
    const app = options.app ?? (await createApp(tenant));
    const published = new TestFlightApp(this, app, apple, key);
    await published.addDestination(options.destination);
    return published;
  }
}

/** What an app of `AppleSite` is to be like. */
export interface AppleSiteApp {
  /** Of App Store Connect. */
  readonly apple?: Omit<NewAppleApp, 'bundleId'>;
  readonly key?: ApiKeyFile;
  readonly tenant?: Tenant;
  readonly app?: TestApp;
  /** Values of its destination. */
  readonly destination?: object;
}

let names = 0;

/** An app with a destination in App Store Connect. */
export class TestFlightApp extends StoreApp {
  constructor(
    readonly appleSite: AppleSite,
    app: TestApp,
    /** As App Store Connect knows it. */
    readonly apple: AppleApp,
    readonly key: ApiKeyFile,
  ) {
    super(appleSite, app);
  }

  get bundleId(): string {
    return this.apple.bundleId;
  }

  /** Makes a destination, which deployments go to from now on: by default, TestFlight without a group. */
  async addDestination(values: object = {}): Promise<string> {
    const { id } = expectCreated<{ id: string }>(
      await this.app.api.post(`${this.app.path}/destinations`, {
        name: `TestFlight ${++names}`,
        platform: 'ios',
        appleTeamId: 'A1B2C3D4E5',
        appAppleApiKeyId: await this.uploadKey(this.key.p8),
        appleApiKeyId: this.key.keyId,
        appleIssuerId: this.key.issuerId,
        appleUsesNonExemptEncryption: false,
        ...values,
      }),
    );
    this.destinationId = id;
    return id;
  }

  /** @param p8 the text of an API key @returns its id */
  async uploadKey(p8: string): Promise<string> {
    const file = form([filePart(p8, `AuthKey_${this.key.keyId}.p8`)]);
    const path = `${this.app.path}/apple-api-keys`;
    return expectCreated<{ id: string }>(await send(this.app.api, 'post', path, file)).id;
  }

  /** An ipa that Apple would take. */
  ipa(version: string, buildNumber: string, values: IpaDescription = {}): Promise<Buffer> {
    const facts = { packageName: this.bundleId, versionName: version, versionCode: buildNumber };
    return makeIpa({ ...facts, profile: 'app-store', ...values });
  }

  /** An ipa with a profile for the App Store, imported as a build. @returns the id of the build */
  async build(version: string, buildNumber: string, values: IpaDescription = {}): Promise<string> {
    return this.import(await this.ipa(version, buildNumber, values));
  }

  /** @returns the id of the build */
  async import(bytes: Buffer): Promise<string> {
    const artifact = { type: 'ipa', fileName: 'app.ipa' };
    const { id, job } = await importFile(this.app, bytes, { platform: 'ios', artifact });
    expect(job).toMatchObject({ status: 'succeeded' });
    return id;
  }

  /** Builds, submits, and waits for the end. */
  async release(version: string, buildNumber: string, values: object = {}): Promise<EndedSubmission> {
    return this.end(await this.deploy(await this.build(version, buildNumber), values));
  }

  /** Its builds, as a person sees them in TestFlight. */
  get builds(): AcceptedBuild[] {
    return this.appleSite.connect.buildsOf(this.bundleId);
  }
}
