import { PartialType } from '@nestjs/swagger';
import { CreateTeamDto } from './create-team.dto.js';

/** Changes to a team; absent fields stay as they are, `null` clears. */
export class UpdateTeamDto extends PartialType(CreateTeamDto, { skipNullProperties: false }) {}
