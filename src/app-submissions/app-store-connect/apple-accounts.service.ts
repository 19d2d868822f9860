import { Injectable } from '@nestjs/common';
import { destinationChanged, keyIsGone } from '../calls/refusals/refusal.js';
import type { StoreSession } from '../calls/store-session.js';
import type { Destination } from '../destinations/destination.entity.js';
import { DestinationsService } from '../destinations/destinations.service.js';
import type { SubmissionRun } from '../flow/submission-run.js';
import { openKey, openRemaining } from '../store-keys/open-keys.js';
import { StoreKeysService } from '../store-keys/store-keys.service.js';
import type { Submission } from '../submissions/submission.entity.js';
import type { AppleApiKey } from './api/app-store-connect-api.js';
import { AppStoreConnect, type AppStoreConnectClient } from './api/app-store-connect-client.js';

/** What a destination needs. */
export const API_KEY = 'API key of App Store Connect';

/** What a destination named when a submission to App Store Connect began: it must not change since. */
export interface AppleBeginning {
  /** The uploaded `.p8`. */
  readonly keyId: string;
  /** Apple's id of the key. */
  readonly apiKeyId: string;
  /** `null`: an individual key. */
  readonly issuerId: string | null;
  /** `null`: the bundle id finds the app. */
  readonly wantedAppId: string | null;
}

/** The API key of a submission, and what it is for. */
export interface AppleAccount {
  readonly key: AppleApiKey;
  readonly beginning: AppleBeginning;
  /** The locale that gets the notes that are given as `default`; `null`: the primary one of the app. */
  readonly defaultLanguage: string | null;
}

type KeyNames = Pick<AppleBeginning, 'keyId' | 'apiKeyId' | 'issuerId'>;

/** The keys of submissions to App Store Connect. */
@Injectable()
export class AppleAccounts {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly keys: StoreKeysService,
    private readonly connect: AppStoreConnect,
  ) {}

  /**
   * The key of the destination, which must still name what it named when the submission began.
   *
   * @throws StoreRefusal
   */
  async of(submission: Submission): Promise<AppleAccount> {
    const { appId, destinationId, betaGroups } = submission;
    const destination = (await this.destinations.getMany([destinationId])).get(destinationId);
    if (destination === undefined) throw destinationChanged('settings');
    const names = namesOf(destination);
    if (names === null) throw keyIsGone(API_KEY);
    const beginning = { ...names, wantedAppId: destination.appleAppId };
    requireSame(beginningOf(submission), beginning);
    if (!isSameSet(destination.appleBetaGroups, betaGroups)) throw destinationChanged('list of groups');
    const key = await openKey(this.open(appId, names), () => keyIsGone(API_KEY));
    return { key, beginning, defaultLanguage: destination.defaultLanguage };
  }

  /** The calls with the key of a submission, as `of` finds it. @throws StoreRefusal */
  async clientOf(context: Pick<SubmissionRun, 'submission' | 'session'>): Promise<AppStoreConnectClient> {
    return (await this.withClient(context)).client;
  }

  /** As `clientOf`, with what the key is for. @throws StoreRefusal */
  async withClient({
    submission,
    session,
  }: Pick<SubmissionRun, 'submission' | 'session'>): Promise<
    AppleAccount & { readonly client: AppStoreConnectClient }
  > {
    const account = await this.of(submission);
    return { ...account, client: this.connect.clientOf(session, account.key) };
  }

  /**
   * The calls when keys may have been replaced in the meantime: with the one that the submission began with, then with
   * the one that the destination has now.
   *
   * @returns none when both are gone
   */
  async clientsOf(submission: Submission, session: StoreSession): Promise<AppStoreConnectClient[]> {
    const keys = await this.keysOf(submission);
    return keys.map((key) => this.connect.clientOf(session, key));
  }

  /** What logs do not show. */
  async masks(submission: Submission): Promise<string[]> {
    return (await this.keysOf(submission)).map(({ privateKeyPem }) => privateKeyPem);
  }

  /** The keys that still exist: the one that a submission began with, and that of its destination. */
  async keysOf(submission: Submission): Promise<AppleApiKey[]> {
    const { appId, destinationId } = submission;
    const destination = (await this.destinations.getMany([destinationId])).get(destinationId);
    const { keyId, apiKeyId, issuerId = null } = beginningOf(submission);
    const begun = keyId === undefined || apiKeyId === undefined ? null : { keyId, apiKeyId, issuerId };
    const present = destination === undefined ? null : namesOf(destination);
    return openRemaining([begun, present], (names) => this.open(appId, names));
  }

  /** @throws NotFoundError when the key was deleted */
  private async open(appId: string, { keyId, apiKeyId, issuerId }: KeyNames): Promise<AppleApiKey> {
    return { keyId: apiKeyId, issuerId, privateKeyPem: await this.keys.openAppleKey(appId, keyId) };
  }
}

/** What a submission has stored of it. */
function beginningOf({ external }: Submission): Partial<AppleBeginning> {
  return external;
}

/** @returns `null`: the destination names no key */
function namesOf({ appleKeyFileId: keyId, appleApiKeyId: apiKeyId, appleIssuerId }: Destination) {
  return keyId === null || apiKeyId === null ? null : { keyId, apiKeyId, issuerId: appleIssuerId };
}

/** @throws StoreRefusal */
function requireSame(begun: Partial<AppleBeginning>, present: AppleBeginning): void {
  if (begun.keyId === undefined) return;
  if (begun.keyId !== present.keyId || begun.apiKeyId !== present.apiKeyId) throw destinationChanged('key');
  if (begun.issuerId !== present.issuerId) throw destinationChanged('issuer of the key');
  if (begun.wantedAppId !== present.wantedAppId) throw destinationChanged('appleAppId');
}

function isSameSet(ones: readonly string[], others: readonly string[]): boolean {
  return [...ones].sort().join('\0') === [...others].sort().join('\0');
}
