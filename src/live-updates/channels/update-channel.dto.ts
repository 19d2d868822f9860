import { PartialType } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { CreateChannelDto } from './create-channel.dto.js';

/** Changes to a channel; absent fields stay as they are, `null` clears. */
@ApiExample({ name: 'beta' })
export class UpdateChannelDto extends PartialType(CreateChannelDto, { skipNullProperties: false }) {}
