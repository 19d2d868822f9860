import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsOptional, MaxLength } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { exampleId } from '../../common/openapi/example-values.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { MAX_DEVICE_ID_LENGTH } from '../check-ins/device-id.js';
import { IsNullable } from '../../common/validation/optional.decorators.js';
import { IsCustomId, MAX_CUSTOM_ID_LENGTH } from './list-devices-query.dto.js';

/** Most devices that one request changes. */
export const MAX_CHANGED_DEVICES = 1000;

/** A change to a device; an absent field stays as it is. */
@ApiExample({ forcedAppChannelId: exampleId('Channel') })
export class UpdateDeviceDto {
  /**
   * The channel to force the device to; `null`: the channel that it requests. It chooses the channel and not the bucket: a
   * deployment of it with a percentage below 1 may still exclude the device.
   */
  @IsNullable()
  @IsId()
  forcedAppChannelId?: string | null;
}

/** Which devices to change: some, or those with one custom id. */
export class UpdateDevicesQuery {
  /** Ids of the devices, separated by commas; at most 1,000. */
  @ApiProperty({ type: 'string', required: false, example: '7f1e4c9a-3f5b-4f0e-9f0e-6a1b7a0c7d11' })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? splitIds(value) : value))
  @MaxLength(MAX_DEVICE_ID_LENGTH, { each: true, message: 'ids must be at most 255 characters long.' })
  @ArrayMaxSize(MAX_CHANGED_DEVICES, { message: `ids must name at most ${MAX_CHANGED_DEVICES} devices.` })
  @ArrayMinSize(1, { message: 'ids must name at least one device.' })
  @IsArray({ message: 'ids must be a comma-separated list of device ids.' })
  ids?: string[];

  /**
   * All devices of this custom id, at most 1,000. The original id, or the hash that the list shows. Not with `ids`.
   * @example 'user-42'
   */
  @ApiProperty({ type: 'string', minLength: 1, maxLength: MAX_CUSTOM_ID_LENGTH, required: false })
  @IsOptional()
  @IsCustomId('customId must be given once.')
  customId?: string;
}

function splitIds(text: string): string[] {
  return text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
}
