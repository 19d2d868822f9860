import { PartialType } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { RefuseUnknownFields } from '../../common/validation/unknown-fields/refuse-unknown-fields.decorator.js';
import { CreateTokenDto } from './create-token.dto.js';
import { IssuedTokenDto } from './token.dto.js';

/** Changes to an API token; absent fields stay as they are, `null` clears. Unknown fields are a 400. */
@RefuseUnknownFields(IssuedTokenDto, 'tokenId')
@ApiExample({ name: 'Release pipeline of the shop' })
export class UpdateTokenDto extends PartialType(CreateTokenDto, { skipNullProperties: false }) {}
