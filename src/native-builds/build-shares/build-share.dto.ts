import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import type { BuildShare } from './build-share.entity.js';
import { sharePath } from './share-path.js';

/** A page with the files of a build, for everyone who has its address. */
@ApiExample({ description: 'For the testers of the checkout.' })
export class BuildShareDto {
  /** Part of the address of the page. */
  @ApiId()
  id!: string;

  @ApiId()
  appBuildId!: string;

  /** Text that the page shows. */
  description!: string | null;

  /** The share ends at this time; `null`: never. */
  @ApiTime()
  expiresAt!: string | null;

  /** Whether the page asks for a password. */
  hasPassword!: boolean;

  /** Address of the page. Everyone who has it can open the page. */
  @ApiProperty({ format: 'uri' })
  url!: string;

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** The response for a share. @param origin the origin of its page */
export function toBuildShareDto(share: BuildShare, origin: string): BuildShareDto {
  return {
    id: share.id,
    appBuildId: share.buildId,
    description: share.description,
    expiresAt: share.expiresAt?.toISOString() ?? null,
    hasPassword: share.passwordHash !== null,
    url: new URL(sharePath(share.id), origin).href,
    createdAt: share.createdAt.toISOString(),
    updatedAt: share.updatedAt.toISOString(),
  };
}
