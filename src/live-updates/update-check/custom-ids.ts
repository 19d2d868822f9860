import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SecretBox } from '../../common/secrets/secret-box.js';

/** Apps whose settings are remembered; then all of them are read anew. */
const MAX_REMEMBERED = 10_000;

/** How the custom ids of an app are kept. */
export interface CustomIdSetting {
  /** Whether new ones are hashed. */
  readonly hashing: boolean;
  /** 32 bytes; `null` when none were ever hashed. Once there, it stays. */
  readonly key: Buffer | null;
}

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

  constructor(
    private readonly database: DataSource,
    private readonly box: SecretBox,
  ) {}

  /**
   * What to store of a custom id. The setting may be an old one, which the statement that stores it has to find out;
   * then `forget` it.
   */
  async toStored(appId: string, customId: string | null): Promise<StoredCustomId> {
    if (customId === null) return { value: null, hashed: false };
    let setting = this.remembered.get(appId);
    if (setting === undefined) {
      setting = await this.settingOf(appId);
      if (this.remembered.size >= MAX_REMEMBERED) this.remembered.clear();
      this.remembered.set(appId, setting);
    }
    return setting.hashing && setting.key !== null
      ? { value: hashCustomId(setting.key, customId), hashed: true }
      : { value: customId, hashed: false };
  }

  forget(appId: string): void {
    this.remembered.delete(appId);
  }

  /** The setting as it is now. */
  async settingOf(appId: string): Promise<CustomIdSetting> {
    const [row] = await this.database.query<{ hashing: boolean; sealedKey: string | null }[]>(
      `SELECT app.custom_id_hashing AS hashing, key.sealed_key AS "sealedKey"
         FROM apps AS app LEFT JOIN custom_id_keys AS key ON key.id = app.id WHERE app.id = $1`,
      [appId],
    );
    if (row === undefined) return { hashing: false, key: null };
    const { hashing, sealedKey } = row;
    const key = sealedKey === null ? null : this.box.open(sealedKey, `custom_id_keys:${appId}`);
    return { hashing, key: key === null ? null : Buffer.from(key, 'base64') };
  }
}
