import { PartialType } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { CreateTeamDto } from './create-team.dto.js';

/** Changes to a team; absent fields stay as they are, `null` clears. */
@ApiExample({ description: 'All who work on the shop.' })
export class UpdateTeamDto extends PartialType(CreateTeamDto, { skipNullProperties: false }) {}
