import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../common/secrets/secret-box.js';
import type { CheckIn } from './check-in.js';
import { sql } from '../../database/sql.js';

/** Apps whose settings are remembered; then all of them are read anew. */
const MAX_REMEMBERED = 10_000;

/** How the custom ids of an app are kept. */
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

/** Knows how the custom ids of each app are kept. */
@Injectable()
export class CustomIds {
  private readonly remembered = new Map<string, CustomIdSetting>();

  constructor(private readonly box: SecretBox) {}

  /**
   * What to store of custom ids. The settings may be old ones, which the statement that stores them has to find out; then
   * `forget` them.
   */
  async toStored(sightings: readonly CheckIn[]): Promise<StoredCustomId[]> {
    const used = sightings.filter(({ customId }) => customId !== null).map(({ state }) => state.appId);
    await this.remember([...new Set(used)].filter((appId) => !this.remembered.has(appId)));
    return sightings.map(({ state, customId }) => {
      const { hashing, key } = this.remembered.get(state.appId) ?? NO_SETTING;
      return hashing && key !== null && customId !== null
        ? { value: hashCustomId(key, customId), hashed: true }
        : { value: customId, hashed: false };
    });
  }

  forget(appIds: readonly string[]): void {
    for (const appId of appIds) this.remembered.delete(appId);
  }

  /** The setting as it is now. */
  async settingOf(appId: string): Promise<CustomIdSetting> {
    return (await this.settingsOf([appId])).get(appId) ?? NO_SETTING;
  }

  private async remember(appIds: readonly string[]): Promise<void> {
    if (appIds.length === 0) return;
    if (this.remembered.size >= MAX_REMEMBERED) this.remembered.clear();
    for (const [appId, setting] of await this.settingsOf(appIds)) this.remembered.set(appId, setting);
  }

  private async settingsOf(appIds: readonly string[]): Promise<Map<string, CustomIdSetting>> {
    const rows = await sql<{ id: string; hashing: boolean; sealedKey: string | null }>(
      `SELECT app.id, app.custom_id_hashing AS hashing, key.sealed_key AS "sealedKey"
         FROM apps AS app LEFT JOIN custom_id_keys AS key ON key.id = app.id WHERE app.id = ANY ($1)`,
      [appIds],
    );
    return new Map(
      rows.map(({ id, hashing, sealedKey }) => {
        const key = sealedKey === null ? null : this.box.open(sealedKey, `custom_id_keys:${id}`);
        return [id, { hashing, key: key === null ? null : Buffer.from(key, 'base64') }];
      }),
    );
  }
}
