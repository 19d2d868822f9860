import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { type GitProvider, gitProviders } from '../../organizations/git-connections/git-connection.entity.js';
import type { AppRepository } from './app-repository.entity.js';

/** The git repository that an app is built from. */
@ApiExample({ provider: 'github' })
export class AppRepositoryDto {
  @ApiId()
  id!: string;

  @ApiId()
  appId!: string;

  /** What Slipway reads it with; `null`: no connection, so it must be public. */
  @ApiId()
  gitConnectionId!: string | null;

  /** @example 'shop' */
  name!: string;

  /** @example 'acme/shop' */
  path!: string;

  @ApiProperty({ enum: gitProviders, enumName: 'GitProvider' })
  provider!: GitProvider;

  /** Address of the server; `null`: the cloud of the provider. */
  providerBaseUrl!: string | null;

  /**
   * As the server identifies it.
   * @example '1296269'
   */
  providerRepositoryId!: string;

  /** @example 'https://github.com/acme/shop' */
  webUrl!: string;

  /**
   * The repositories besides `path` that builds fetch with the credential of the git connection, if they are submodules:
   * paths as in their addresses, without the host.
   * @example ['acme/shared-ui']
   */
  submoduleRepositories!: string[];

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** The response for a linked repository. */
export function toAppRepositoryDto(repository: AppRepository): AppRepositoryDto {
  return {
    id: repository.id,
    appId: repository.appId,
    gitConnectionId: repository.gitConnectionId,
    name: repository.name,
    path: repository.path,
    provider: repository.provider,
    providerBaseUrl: repository.providerBaseUrl,
    providerRepositoryId: repository.providerRepositoryId,
    webUrl: repository.webUrl,
    submoduleRepositories: repository.submoduleRepositories,
    createdAt: repository.createdAt.toISOString(),
    updatedAt: repository.updatedAt.toISOString(),
  };
}
