import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { User } from '../../accounts/users/user.entity.js';
import { App } from '../../apps/apps/app.entity.js';
import { EnumColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';

export const storeKeyKinds = ['apple-api-key', 'google-service-account'] as const;
export type StoreKeyKind = (typeof storeKeyKinds)[number];

/** A file that signs in to a store: a `.p8` of App Store Connect, or the JSON key of a Google service account. */
@Entity('store_keys')
@Index(['appId', 'kind'])
@Check('store_keys_sealed_file_check', `sealed_file LIKE 'v1.%'`)
@Check('store_keys_account_email_check', `(kind = 'google-service-account') = (account_email IS NOT NULL)`)
export class StoreKey extends Row {
  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  @EnumColumn(storeKeyKinds)
  kind!: StoreKeyKind;

  /** The e-mail address of a Google service account, as its file says; whether the key is its own, only Google knows. */
  @Column('text', { nullable: true })
  accountEmail!: string | null;

  /** The text of the file, as `SecretBox` sealed it for the context `store_keys:<id>`. */
  @Column('text', { select: false })
  sealedFile!: string;

  /** `null`: the user was deleted. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => User, { onDelete: 'SET NULL' })
  createdByUserId!: string | null;
}
