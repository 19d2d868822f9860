import { OmitType, PartialType } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { CreateGitConnectionDto } from './create-git-connection.dto.js';

/**
 * Changes to a git connection; absent fields stay as they are. A new `authKind` or `baseUrl` requires the matching
 * credential in the same request.
 */
@ApiExample({ name: 'GitHub of the shop' })
export class UpdateGitConnectionDto extends PartialType(
  OmitType(CreateGitConnectionDto, ['provider', 'appId'] as const),
  { skipNullProperties: false },
) {}
