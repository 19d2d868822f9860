import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { EnumColumn, TimeColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';
import { User } from '../../accounts/users/user.entity.js';
import { Organization } from '../organizations/organization.entity.js';

/** Kinds of git servers, in the spelling of the wire. */
export const gitProviders = ['azure_devops', 'bitbucket', 'gitea', 'git_http', 'github', 'gitlab'] as const;
export type GitProvider = (typeof gitProviders)[number];

export const gitAuthKinds = ['basic', 'token'] as const;
export type GitAuthKind = (typeof gitAuthKinds)[number];

export const GIT_CONNECTIONS_NAME_KEY = 'git_connections_organization_id_name_lower_key';
export const GIT_CONNECTIONS_ORGANIZATION_FKEY = 'git_connections_organization_id_fkey';
export const GIT_CONNECTIONS_APP_FKEY = 'git_connections_app_id_fkey';

/** A git server and the credentials with which an organization, or one of its apps, uses it. */
@Entity('git_connections')
@Unique(GIT_CONNECTIONS_NAME_KEY, ['organizationId', 'nameLower'])
@Check('git_connections_sealed_secret_check', `sealed_secret LIKE 'v1.%'`)
export class GitConnection extends Row {
  @Column('uuid')
  @ForeignKey(() => Organization, { onDelete: 'CASCADE', name: GIT_CONNECTIONS_ORGANIZATION_FKEY })
  organizationId!: string;

  /** The only app that may use it; `null`: every app. Named by its entity because apps live further down. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey('App', { onDelete: 'CASCADE', name: GIT_CONNECTIONS_APP_FKEY })
  appId!: string | null;

  @Column('text')
  name!: string;

  /** The name as it is compared: see `nameKey`. */
  @Column('text')
  nameLower!: string;

  @EnumColumn(gitProviders)
  provider!: GitProvider;

  @EnumColumn(gitAuthKinds)
  authKind!: GitAuthKind;

  /** Of `basic`. */
  @Column('text', { nullable: true })
  authUsername!: string | null;

  /** The token or password as `SecretBox` sealed it, for the context `git_connections:<id>`; `null`: none. */
  @Column('text', { nullable: true })
  sealedSecret!: string | null;

  /** Without a slash at the end; `null`: the cloud of the provider. */
  @Column('text', { nullable: true })
  baseUrl!: string | null;

  /** Whether only its creator may use it. */
  @Column('boolean', { default: false })
  restricted!: boolean;

  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => User, { onDelete: 'SET NULL' })
  createdBy!: string | null;

  /** Since when the server refuses the credentials; `null`: it does not, as far as is known. */
  @TimeColumn({ nullable: true })
  brokenAt!: Date | null;

  /** To a few minutes; `null`: never. */
  @TimeColumn({ nullable: true })
  lastUsedAt!: Date | null;
}
