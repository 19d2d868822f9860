import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../../../../common/errors/app-error.js';
import { Config } from '../../../../config/config.js';
import { DestinationsService } from '../../../destinations/destinations.service.js';
import { editKey } from '../../../store-edits/store-edits.service.js';
import { StoreKeysService } from '../../../store-keys/store-keys.service.js';
import type { GoogleServiceAccountKey } from '../../../store-keys/google-service-account-key.js';
import type { Submission } from '../../../submissions/submission.entity.js';
import type { StoreSession } from '../../store-calls/store-session.js';
import { GooglePlayClient } from '../google-play-client.js';
import { StoreRefusal } from '../refusal.js';
import { GoogleTokens } from '../google-token.service.js';
import { destinationChanged, keyIsGone } from './play-refusals.js';
import { progressOf } from './play-progress.js';

/** The service account of a submission, and what it is for. */
export interface PlayAccount {
  readonly keyId: string;
  readonly key: GoogleServiceAccountKey;
  /** See `editKey`. */
  readonly editKey: string;
  /** The locale of the notes that are given as `default`; `null`: that of the app in the store. */
  readonly defaultLanguage: string | null;
}

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
   * The account of the destination, which must still be the one that the submission began with.
   *
   * @throws StoreRefusal
   */
  async of({ appId, destinationId, packageName, track, external }: Submission): Promise<PlayAccount> {
    const destination = (await this.destinations.getMany([destinationId])).get(destinationId);
    if (destination === undefined) throw destinationChanged('settings');
    const { googleKeyId: keyId, defaultLanguage } = destination;
    if (keyId === null) throw keyIsGone();
    if ((progressOf({ external }).keyId ?? keyId) !== keyId) throw destinationChanged('key');
    if (destination.androidPackageName !== packageName) throw destinationChanged('package name');
    if (destination.googlePlayTrack !== track) throw destinationChanged('track');
    const key = await this.open(appId, keyId);
    return { keyId, key, defaultLanguage, editKey: editKey(key.clientEmail, packageName) };
  }

  private async open(appId: string, keyId: string): Promise<GoogleServiceAccountKey> {
    try {
      return await this.keys.openGoogleKey(appId, keyId);
    } catch (error) {
      throw error instanceof NotFoundError ? keyIsGone() : error;
    }
  }

  /** Signs in. @throws StoreRefusal @throws StoreUnreachableError */
  async signIn({ key }: PlayAccount, packageName: string, session: StoreSession): Promise<GooglePlayClient> {
    const { clientEmail, privateKeyPem: privateKey, keyId: privateKeyId } = key;
    const token = await this.tokens.issue(session, { clientEmail, privateKey, privateKeyId });
    return new GooglePlayClient(session, this.config.stores.googlePlayUrl, token, packageName);
  }

  private async keyIdOf({ destinationId, external }: Submission): Promise<string | null> {
    const { keyId } = progressOf({ external });
    if (keyId !== undefined) return keyId;
    return (await this.destinations.getMany([destinationId])).get(destinationId)?.googleKeyId ?? null;
  }

  /** What logs do not show. */
  async masks(submission: Submission): Promise<string[]> {
    try {
      const keyId = await this.keyIdOf(submission);
      if (keyId === null) return [];
      const { clientEmail, privateKeyPem } = await this.open(submission.appId, keyId);
      return [clientEmail, privateKeyPem];
    } catch (error) {
      // Without a key, there is nothing to mask.
      if (error instanceof StoreRefusal) return [];
      throw error;
    }
  }
}
