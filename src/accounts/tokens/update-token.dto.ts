import { PartialType } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { CreateTokenDto } from './create-token.dto.js';

/** Changes to an API token; absent fields stay as they are, `null` clears. */
@ApiExample({ name: 'Release pipeline of the shop' })
export class UpdateTokenDto extends PartialType(CreateTokenDto, { skipNullProperties: false }) {}
