import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, MaxLength } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { exampleId } from '../../common/openapi/example-values.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { MAX_DEVICE_ID_LENGTH } from '../check-ins/device-id.js';
import { IsNullable } from '../../common/validation/optional.decorators.js';

/** Most devices that one request changes. */
const MAX_DEVICES = 1000;

/** A change to a device; an absent field stays as it is. */
@ApiExample({ forcedAppChannelId: exampleId('Channel') })
export class UpdateDeviceDto {
  /** The channel to force the device to; `null`: the channel that it requests. */
  @IsNullable()
  @IsId()
  forcedAppChannelId?: string | null;
}

/** Which devices to change. */
export class UpdateDevicesQuery {
  /** Ids of the devices, separated by commas; at most 1,000. */
  @ApiProperty({ type: 'string', example: '7f1e4c9a-3f5b-4f0e-9f0e-6a1b7a0c7d11' })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? splitIds(value) : value))
  @MaxLength(MAX_DEVICE_ID_LENGTH, { each: true, message: 'ids must be at most 255 characters long.' })
  @ArrayMaxSize(MAX_DEVICES, { message: `ids must name at most ${MAX_DEVICES} devices.` })
  @ArrayMinSize(1, { message: 'ids must name at least one device.' })
  @IsArray({ message: 'ids must be a comma-separated list of device ids.' })
  ids!: string[];
}

function splitIds(text: string): string[] {
  return text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
}
