import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { App } from '../../apps/apps/app.entity.js';

/** The key under which the custom ids of an app are hashed. It is never changed, or hashes could not be compared. */
@Entity('custom_id_keys')
export class CustomIdKey {
  /** The id of the app. */
  @PrimaryColumn('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  id!: string;

  /** 32 random bytes in Base64, sealed. */
  @Column('text')
  sealedKey!: string;
}
