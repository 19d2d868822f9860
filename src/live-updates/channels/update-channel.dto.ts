import { PartialType } from '@nestjs/swagger';
import { CreateChannelDto } from './create-channel.dto.js';

/** Changes to a channel; absent fields stay as they are, `null` clears. */
export class UpdateChannelDto extends PartialType(CreateChannelDto, { skipNullProperties: false }) {}
