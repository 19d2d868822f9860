import { Check, Column, Entity, ForeignKey, Unique } from 'typeorm';
import { EnumColumn, TimeColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';
import { type GitProvider, gitProviders } from '../../organizations/git-connections/git-connection.entity.js';
import { Organization } from '../../organizations/organizations/organization.entity.js';

/** Where a git server reports the pushes to a repository that apps of an organization are linked to. */
@Entity('git_hooks')
@Unique(['organizationId', 'repositoryKey'])
@Check('git_hooks_sealed_secret_check', `sealed_secret LIKE 'v1.%'`)
@Check('git_hooks_last_error_check', '(last_error IS NULL) = (last_error_at IS NULL)')
export class GitHook extends Row {
  @Column('uuid')
  @ForeignKey(() => Organization, { onDelete: 'CASCADE' })
  organizationId!: string;

  @EnumColumn(gitProviders)
  provider!: GitProvider;

  /** What the repository is known by: see `repositoryKeyOf`. */
  @Column('text')
  repositoryKey!: string;

  /** As `SecretBox` sealed it, for the context `git_hooks:<id>`. */
  @Column('text')
  sealedSecret!: string;

  /** When a delivery last proved that it comes from the server; `null`: none has. */
  @TimeColumn({ nullable: true })
  lastEventAt!: Date | null;

  /** Why a delivery was refused last, in a sentence; `null`: none was. */
  @Column('text', { nullable: true })
  lastError!: string | null;

  @TimeColumn({ nullable: true })
  lastErrorAt!: Date | null;
}
