import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../common/secrets/secret-box.js';
import type { CheckIn } from './check-in.js';
import { CustomIdsQueries } from './custom-ids.queries.js';

/** Apps whose settings are in memory. */
const MAX_APPS = 10_000;

/** How the custom ids of an app are stored. */
export interface CustomIdSetting {
  /** Whether new ones are hashed. */
  readonly hashing: boolean;
  /** 32 bytes; `null` when none were ever hashed. Once there, it stays. */
  readonly key: Buffer | null;
}

const NO_SETTING: CustomIdSetting = { hashing: false, key: null };

/** A custom id as it is stored. */
export interface StoredCustomId {
  readonly value: string | null;
  /** Whether `value` is a hash. */
  readonly hashed: boolean;
}

/** The hash of a custom id: HMAC-SHA-256 under the key of its app, lower-case hexadecimal. */
export function hashCustomId(key: Buffer, customId: string): string {
  return createHmac('sha256', key).update(customId).digest('hex');
}

/** Knows how the custom ids of each app are stored. */
@Injectable()
export class CustomIds {
  private readonly settings = new LRUCache<string, CustomIdSetting>({ max: MAX_APPS });

  constructor(
    private readonly queries: CustomIdsQueries,
    private readonly box: SecretBox,
  ) {}

  /**
   * The custom ids in the form to store. The settings may be out of date: the statement that stores them must check that,
   * and the caller then calls `forget`.
   */
  async toStored(checkIns: readonly CheckIn[]): Promise<StoredCustomId[]> {
    const used = checkIns.filter(({ customId }) => customId !== null).map(({ state }) => state.appId);
    const settings = await this.currentOf([...new Set(used)]);
    return checkIns.map(({ state, customId }) => {
      const { hashing, key } = settings.get(state.appId) ?? NO_SETTING;
      return hashing && key !== null && customId !== null
        ? { value: hashCustomId(key, customId), hashed: true }
        : { value: customId, hashed: false };
    });
  }

  forget(appIds: readonly string[]): void {
    for (const appId of appIds) this.settings.delete(appId);
  }

  /** The key of an app, from memory; `null`: none of its custom ids was ever hashed, as far as this process knows. */
  async keyOf(appId: string): Promise<Buffer | null> {
    return (await this.currentOf([appId])).get(appId)?.key ?? null;
  }

  /** The setting as it is now. */
  async settingOf(appId: string): Promise<CustomIdSetting> {
    return (await this.settingsOf([appId])).get(appId) ?? NO_SETTING;
  }

  /** From memory; from the database where it is not there. */
  private async currentOf(appIds: readonly string[]): Promise<Map<string, CustomIdSetting>> {
    const found = new Map(appIds.map((appId) => [appId, this.settings.get(appId)]));
    const missing = appIds.filter((appId) => found.get(appId) === undefined);
    if (missing.length === 0) return found as Map<string, CustomIdSetting>;
    const loaded = await this.settingsOf(missing);
    for (const [appId, setting] of loaded) this.settings.set(appId, setting);
    return new Map(appIds.map((appId) => [appId, found.get(appId) ?? loaded.get(appId) ?? NO_SETTING]));
  }

  private async settingsOf(appIds: readonly string[]): Promise<Map<string, CustomIdSetting>> {
    const rows = await this.queries.settings(appIds);
    return new Map(
      rows.map(({ id, hashing, sealedKey }) => {
        const key = sealedKey === null ? null : this.box.open(sealedKey, `custom_id_keys:${id}`);
        return [id, { hashing, key: key === null ? null : Buffer.from(key, 'base64') }];
      }),
    );
  }
}
