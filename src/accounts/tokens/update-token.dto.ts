import { PartialType } from '@nestjs/swagger';
import { CreateTokenDto } from './create-token.dto.js';

/** Changes to an API token; absent fields stay as they are, `null` clears. */
export class UpdateTokenDto extends PartialType(CreateTokenDto, { skipNullProperties: false }) {}
