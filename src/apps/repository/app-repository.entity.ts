import { Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { EnumColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';
import {
  GitConnection,
  type GitProvider,
  gitProviders,
} from '../../organizations/git-connections/git-connection.entity.js';
import { App } from '../apps/app.entity.js';

/** The git repository that an app is built from. */
@Entity('app_repositories')
@Unique(['appId'])
export class AppRepository extends Row {
  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  /** What it is read with; `null`: nothing, as it is public, or the connection was deleted. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => GitConnection, { onDelete: 'SET NULL' })
  gitConnectionId!: string | null;

  @EnumColumn(gitProviders)
  provider!: GitProvider;

  /** The address of the server when the app was linked; `null`: the cloud of the provider. */
  @Column('text', { nullable: true })
  providerBaseUrl!: string | null;

  /** As the server identifies it. */
  @Index()
  @Column('text')
  providerRepositoryId!: string;

  @Column('text')
  name!: string;

  /** Such as `acme/shop`. */
  @Column('text')
  path!: string;

  @Column('text')
  webUrl!: string;

  /** Paths of the other repositories that submodules of builds may fetch with the credential. */
  @Column('text', { array: true, default: () => "'{}'" })
  submoduleRepositories!: string[];

  /** How many commits of the history builds have; 0: all. */
  @Column('integer', { default: 1 })
  gitDepth!: number;
}
