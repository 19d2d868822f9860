import { createHash } from 'node:crypto';
import { CallBudget } from '../../../../src/app-submissions/app-store-connect/rate-limits/call-budget.service.js';
import { AppStoreConnectStore } from '../../../../src/app-submissions/app-store-connect/app-store-connect.store.js';
import { StoreKeysService } from '../../../../src/app-submissions/store-keys/store-keys.service.js';
import type {
  ReleaseAction,
  Submission,
} from '../../../../src/app-submissions/submissions/submission.entity.js';
import { NotFoundError } from '../../../../src/common/errors/app-error.js';
import { Services, StoreBench } from '../store-bench.js';
import { configFor } from '../store-servers.js';
import type { ApiKeyFile } from './api-keys.js';
import type { AppStoreConnect } from './app-store-connect.js';
import { REFUSALS, type RefusalName } from './refusals.js';
import type { Call } from './resources/routes.js';
import { addBuild } from './state/builds.js';
import type { AppleApp } from './state/connect-state.js';

/** Submissions to App Store Connect: see `StoreBench`. */
export class AppStoreConnectBench extends StoreBench<RefusalName, Call> {
  /** By their id at Apple, as long as they exist here. */
  private readonly keys: Map<string, ApiKeyFile>;

  constructor(
    connect: AppStoreConnect,
    private readonly app: AppleApp,
    /** Of the submissions. */
    private readonly key = connect.addKey({ team: app.team }),
    /** The ipa that `upload` sends. */
    bytes: Buffer = Buffer.alloc(0),
  ) {
    const keys = new Map<string, ApiKeyFile>();
    const config = configFor('http://127.0.0.1:1');
    config.stores.appStoreConnectUrl = connect.url;
    // Where files go that are uploaded.
    config.outbound.allow = 'store=127.0.0.1';
    const openAppleKey = async (_: string, id: string): Promise<string> => {
      const file = keys.get(id);
      if (file === undefined) throw new NotFoundError('Store key');
      return Promise.resolve(file.p8);
    };
    super(
      { bytes, sizeInBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
      {
        type: AppStoreConnectStore,
        standIn: connect,
        config,
        services: new Services()
          .give(StoreKeysService, { openAppleKey })
          .give(CallBudget, { take: () => Promise.resolve(), learn: () => Promise.resolve() }),
      },
    );
    this.keys = keys;
    this.addKey(key);
  }

  /** The destination has this key now. */
  addKey(key: ApiKeyFile): void {
    const { keyId, issuerId } = key;
    this.keys.set(keyId, key);
    this.destinations.set('destination', {
      appleKeyFileId: keyId,
      appleApiKeyId: keyId,
      appleIssuerId: issuerId,
      appleAppId: null,
      appleBetaGroups: [],
      defaultLanguage: null,
    });
  }

  /** The destination has no key any more, nor have the submissions. */
  removeKeys(): void {
    this.keys.clear();
  }

  /** A submission that uploads the ipa, to TestFlight. */
  upload(version: string, buildNumber: string, values: Partial<Submission> = {}): Submission {
    const [destination] = this.destinations.values();
    Object.assign(destination ?? {}, { appleBetaGroups: values.betaGroups ?? [] });
    return this.keep({
      id: `submission-${version}-${buildNumber}`,
      packageName: this.app.bundleId,
      versionName: version,
      versionCode: buildNumber,
      artifactType: 'ipa',
      applePlatform: 'ios',
      usesNonExemptEncryption: false,
      submitsForReview: false,
      rejectsIfPossible: false,
      appleReleaseType: null,
      earliestReleaseAt: null,
      isPhased: false,
      step: 'check',
      ...values,
    });
  }

  /** A submission for the App Store whose build is in TestFlight. */
  submission(version: string, buildNumber: string, values: Partial<Submission> = {}): Submission {
    const { id: buildId } = addBuild(this.app, { version, buildNumber, usesNonExemptEncryption: false });
    const { keyId, issuerId } = this.key;
    const beginning = { keyId, apiKeyId: keyId, issuerId, wantedAppId: null };
    return this.upload(version, buildNumber, {
      releaseNotes: { default: 'Faster.' },
      submitsForReview: true,
      appleReleaseType: 'manual',
      commitSentAt: new Date(),
      step: 'version',
      external: { ...beginning, appleAppId: this.app.id, buildId, primaryLocale: 'en-US', isDelivered: true },
      ...values,
    });
  }

  /** A change of the release of a submission. */
  change(release: Submission, action: ReleaseAction, userFraction = 1): Submission {
    return this.keepChange(release, { action, userFraction });
  }

  protected override wordsOf(refusal: RefusalName): string | null {
    return REFUSALS[refusal].error().errors[0]?.title ?? null;
  }
}
