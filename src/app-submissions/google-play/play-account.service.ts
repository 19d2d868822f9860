import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { DestinationsService } from '../destinations/destinations.service.js';
import { editKey } from '../flow/store-turns.service.js';
import { openKey, openRemaining } from '../store-keys/open-keys.js';
import { StoreKeysService } from '../store-keys/store-keys.service.js';
import type { GoogleServiceAccountKey } from '../store-keys/google-service-account-key.js';
import type { Submission } from '../submissions/submission.entity.js';
import type { SubmissionRun } from '../flow/submission-run.js';
import type { StoreSession } from '../calls/store-session.js';
import { GooglePlayClient } from './api/google-play-client.js';
import { StoreRefusal, destinationChanged, keyIsGone } from '../calls/refusals/refusal.js';
import { GoogleTokens } from './api/google-token.service.js';
import { stateOf } from './play-state.js';

/** The service account of a submission, and what it is for. */
export interface PlayAccount {
  readonly keyId: string;
  readonly key: GoogleServiceAccountKey;
  /** See `editKey`. */
  readonly editKey: string;
  /** The locale of the notes that are given as `default`; `null`: that of the app in the store. */
  readonly defaultLanguage: string | null;
}

const KEY = 'key of a service account';

/** Signs in to Google Play for submissions. */
@Injectable()
export class PlayAccounts {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly keys: StoreKeysService,
    private readonly tokens: GoogleTokens,
    private readonly config: Config,
  ) {}

  /**
   * The account of the destination, which must still be the one that the submission began with. A release that changes is
   * where it is, also when the destination leads somewhere else by now.
   *
   * @throws StoreRefusal
   */
  async of(submission: Submission): Promise<PlayAccount> {
    const { appId, destinationId, packageName, track, external, releaseId } = submission;
    const destination = (await this.destinations.getMany([destinationId])).get(destinationId);
    if (destination === undefined) throw destinationChanged('settings');
    const { googleKeyId: keyId, defaultLanguage } = destination;
    if (keyId === null) throw keyIsGone(KEY);
    if ((stateOf({ external }).keyId ?? keyId) !== keyId) throw destinationChanged('key');
    if (releaseId === null) {
      if (destination.androidPackageName !== packageName) throw destinationChanged('package name');
      if (destination.googlePlayTrack !== track) throw destinationChanged('track');
    }
    const key = await openKey(this.keys.openGoogleKey(appId, keyId), () => keyIsGone(KEY));
    return { keyId, key, defaultLanguage, editKey: editKey(key.clientEmail, packageName) };
  }

  /**
   * Signs in when keys may have been replaced in the meantime: with the one that the submission began with, or the one
   * that the destination has now.
   *
   * @param options.prefersPresent tries the latter first
   * @throws StoreRefusal @throws StoreUnreachableError
   */
  async signInAgain(
    submission: Submission,
    session: StoreSession,
    { prefersPresent = false }: { prefersPresent?: boolean } = {},
  ): Promise<GooglePlayClient> {
    const keys = await this.keysOf(submission);
    let failure = keyIsGone(KEY);
    for (const key of prefersPresent ? keys.toReversed() : keys) {
      try {
        return await this.signIn({ key }, submission.packageName, session);
      } catch (error) {
        if (!(error instanceof StoreRefusal) || error.refusal.retry === 'again') throw error;
        failure = error;
      }
    }
    throw failure;
  }

  /** The keys that still exist: the one that a submission began with, and that of its destination. */
  private async keysOf({ appId, destinationId, external }: Submission): Promise<GoogleServiceAccountKey[]> {
    const destination = (await this.destinations.getMany([destinationId])).get(destinationId);
    const ids = [stateOf({ external }).keyId ?? null, destination?.googleKeyId ?? null];
    return openRemaining(ids, (id) => this.keys.openGoogleKey(appId, id));
  }

  /** Signs in with the account of a submission, as `of` finds it. @throws StoreRefusal @throws StoreUnreachableError */
  async clientOf({
    submission,
    session,
  }: Pick<SubmissionRun, 'submission' | 'session'>): Promise<GooglePlayClient> {
    return this.signIn(await this.of(submission), submission.packageName, session);
  }

  /** Signs in. @throws StoreRefusal @throws StoreUnreachableError */
  async signIn(
    { key }: Pick<PlayAccount, 'key'>,
    packageName: string,
    session: StoreSession,
  ): Promise<GooglePlayClient> {
    const token = await this.tokens.issue(session, key);
    return new GooglePlayClient(session, this.config.stores.googlePlayUrl, token, packageName);
  }

  /** What logs do not show. */
  async masks(submission: Submission): Promise<string[]> {
    const keys = await this.keysOf(submission);
    return keys.flatMap(({ clientEmail, privateKeyPem }) => [clientEmail, privateKeyPem]);
  }
}
