import { createHash } from 'node:crypto';
import { GooglePlayStore } from '../../../../src/app-submissions/google-play/google-play.store.js';
import { readGoogleServiceAccountKey } from '../../../../src/app-submissions/store-keys/google-service-account-key.js';
import { StoreKeysService } from '../../../../src/app-submissions/store-keys/store-keys.service.js';
import type { Submission } from '../../../../src/app-submissions/submissions/submission.entity.js';
import { Services, StoreBench } from '../store-bench.js';
import { configFor } from '../store-servers.js';
import type { GooglePlay } from './google-play.js';
import type { Call } from './publisher/routes.js';
import { REFUSALS, type RefusalName } from './refusals.js';
import type { ServiceAccountKey } from './service-accounts.js';

/** Submissions to Google Play: see `StoreBench`. */
export class GooglePlayBench extends StoreBench<RefusalName, Call> {
  constructor(
    private readonly play: GooglePlay,
    { json }: ServiceAccountKey,
    /** The aab of the version code 42. */
    bytes: Buffer,
  ) {
    const key = readGoogleServiceAccountKey(json);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    super(
      { bytes, sizeInBytes: bytes.length, sha256 },
      {
        type: GooglePlayStore,
        standIn: play,
        config: configFor(play.url),
        services: new Services().give(StoreKeysService, { openGoogleKey: () => Promise.resolve(key) }),
      },
    );
  }

  /** A submission of the aab to a track. */
  submission(track = 'production', values: Partial<Submission> = {}): Submission {
    this.destinations.set(track, {
      googleKeyId: 'key',
      defaultLanguage: null,
      androidPackageName: 'com.example.app',
      googlePlayTrack: track,
    });
    return this.keep({
      id: `submission-${track}`,
      destinationId: track,
      packageName: 'com.example.app',
      versionName: '1.0',
      versionCode: '42',
      artifactType: 'aab',
      track,
      releaseStatus: 'completed',
      releaseNotes: { default: 'News' },
      step: 'check',
      ...values,
    });
  }

  /** A change of the share of a release. */
  change(release: Submission, userFraction: number): Submission {
    return this.keepChange(release, { action: 'set-rollout', userFraction });
  }

  protected override wordsOf(refusal: RefusalName): string | null {
    return (REFUSALS[refusal].error().body as { error: { message: string | null } }).error.message;
  }

  /** Edits that are open. */
  get openEdits(): string[] {
    return [...this.play.state.edits.values()].filter(({ state }) => state === 'open').map(({ id }) => id);
  }
}
