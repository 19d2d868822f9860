import { createPrivateKey, type KeyObject } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { invalidField, NotFoundError } from '../../common/errors/app-error.js';
import { SecretBox } from '../../common/secrets/secret-box.js';
import { CountLimits } from '../../database/count-limits.js';
import { deleteInBatches } from '../../database/delete-in-batches.js';
import { insertOrThrow, notFound } from '../../database/rows.js';
import { currentActor } from '../../database/transactions/actor.js';
import { transaction } from '../../database/transactions/transaction.js';
import { QueueService } from '../../queue/queue.service.js';
import { type GoogleServiceAccountKey, readGoogleServiceAccountKey } from './google-service-account-key.js';
import { describeContent, JSON_TEXT, plainPem, PRIVATE_KEY } from './store-key-text.js';
import { StoreKey, type StoreKeyKind } from './store-key.entity.js';
import { StoreKeysQueries } from './store-keys.queries.js';

/** How long a file waits for its destination: clients upload a file, and then create a destination with it. In hours. */
const UNUSED_HOURS = 24;
const BATCH = 500;

/** Files that sign in to stores, which are sealed in the database. */
@Injectable()
export class StoreKeysService implements OnModuleInit {
  constructor(
    @InjectRepository(StoreKey) private readonly keys: Repository<StoreKey>,
    private readonly queries: StoreKeysQueries,
    private readonly box: SecretBox,
    private readonly limits: CountLimits,
    private readonly queue: QueueService,
  ) {}

  /** Deletes files that no destination uses. */
  onModuleInit(): void {
    this.queue.schedule({
      name: 'unused-store-keys',
      cron: '35 * * * *',
      timeoutSeconds: 600,
      run: () => deleteInBatches(BATCH, (size) => this.queries.deleteUnused(UNUSED_HOURS, size)),
    });
  }

  /**
   * Stores the `.p8` of an API key of App Store Connect.
   *
   * @throws InvalidRequestError when the text is something else
   * @throws ConflictError when the app has as many keys as the server allows
   */
  createAppleKey(appId: string, text: string): Promise<StoreKey> {
    return this.create(appId, 'apple-api-key', null, readAppleApiKey(text));
  }

  /**
   * Stores the JSON key of a Google service account.
   *
   * @throws InvalidRequestError when the text is something else
   * @throws ConflictError when the app has as many keys as the server allows
   */
  createGoogleKey(appId: string, text: string): Promise<StoreKey> {
    const { clientEmail } = readGoogleServiceAccountKey(text);
    return this.create(appId, 'google-service-account', clientEmail, text);
  }

  private create(
    appId: string,
    kind: StoreKeyKind,
    accountEmail: string | null,
    text: string,
  ): Promise<StoreKey> {
    const id = uuid();
    const sealedFile = this.box.seal(text, contextOf(id));
    const createdByUserId = currentActor()?.userId ?? null;
    return transaction(async () => {
      await this.limits.requireRoom('storeKeysPerApp', appId, this.keys, { appId });
      return insertOrThrow(this.keys, { id, appId, kind, accountEmail, sealedFile, createdByUserId });
    });
  }

  /** @throws NotFoundError when the app has no such key of this kind */
  async require(appId: string, kind: StoreKeyKind, id: string): Promise<void> {
    if (!(await this.keys.existsBy({ appId, kind, id }))) throw new NotFoundError('Store key');
  }

  /** The day after which unused keys are deleted begins again for these, which destinations no longer use. */
  async release(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.queries.touch(ids);
  }

  /** Opens the key of a Google service account. @throws NotFoundError when the app has no such key */
  async openGoogleKey(appId: string, id: string): Promise<GoogleServiceAccountKey> {
    return readGoogleServiceAccountKey(await this.open(appId, 'google-service-account', id));
  }

  /** Opens the `.p8` of an API key of App Store Connect. @returns PEM @throws NotFoundError when the app has no such key */
  openAppleKey(appId: string, id: string): Promise<string> {
    return this.open(appId, 'apple-api-key', id);
  }

  private async open(appId: string, kind: StoreKeyKind, id: string): Promise<string> {
    const key = await this.keys
      .createQueryBuilder('key')
      .addSelect('key.sealedFile')
      .where('key.appId = :appId AND key.id = :id AND key.kind = :kind', { appId, id, kind })
      .getOne();
    if (key === null) throw notFound(this.keys);
    return this.box.open(key.sealedFile, contextOf(id));
  }
}

function contextOf(id: string): string {
  return `store_keys:${id}`;
}

/**
 * Reads the `.p8` of an API key of App Store Connect, also when a form has changed its lines.
 *
 * @returns PEM
 * @throws InvalidRequestError when it is something else, with a sentence that says what it is
 */
export function readAppleApiKey(text: string): string {
  const what = describeContent(text) ?? 'no private key in PEM';
  const pem = what === JSON_TEXT ? null : plainPem(text, 'PRIVATE KEY');
  if (pem === null) {
    throw refused(`is ${what === PRIVATE_KEY ? `${what}, but not alone or not whole` : what}`);
  }
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: pem, format: 'pem' });
  } catch {
    throw refused('has a private key that cannot be read');
  }
  if (key.asymmetricKeyType !== 'ec')
    throw refused(`has a private key of the type ${key.asymmetricKeyType ?? 'unknown'}, and not EC`);
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw refused('has a private key of another curve than P-256');
  return pem;
}

function refused(problem: string): Error {
  return invalidField(
    'file',
    `file ${problem}: upload the .p8 that App Store Connect offers for an API key.`,
  );
}
