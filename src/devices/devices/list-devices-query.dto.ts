import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsOptional, IsString, MaxLength, MinLength } from 'class-validator';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsDateInput } from '../../common/validation/date-input.decorator.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import { Relations } from '../../common/validation/relations.decorator.js';

/** Longest custom id that devices can have, in characters. */
export const MAX_CUSTOM_ID_LENGTH = 255;
/** Longest cursor, in characters: ids of former versions may have characters of four bytes. */
const MAX_CURSOR_LENGTH = 2000;
/** Most devices that one request deletes by their ids. */
const MAX_DEVICES = 500;

/** What to include with a device. */
export class GetDeviceQuery {
  @Relations('appChannel', 'appBuild', 'offeredAppBuild')
  relations?: string[];
}

/** Which devices to list. */
export class ListDevicesQuery extends PageQuery {
  /** Only the device with exactly this id. */
  @QueryText()
  id?: string;

  /**
   * Only devices with exactly this custom id. Pass the original id even if the app stores hashes, or the hash as a device of
   * the list has it.
   */
  @QueryText()
  customId?: string;

  /**
   * Only devices whose id or custom id contains this text, ignoring case. A hashed custom id
   * matches only as a whole.
   */
  @QueryText()
  query?: string;

  /** Only devices whose last check requested this channel, or that got it as the default channel. */
  @IsEmptyOr()
  @IsId()
  appChannelId?: string;

  /** Only devices that ran this bundle at their last check. */
  @IsEmptyOr()
  @IsId()
  bundleId?: string;

  /** Only devices of this platform: 0 Android, 1 iOS, 2 Electron. */
  @IsEmptyOr()
  @IsOneOf(['0', '1', '2'], 'DevicePlatformNumber')
  platform?: string;

  /**
   * Only devices with exactly this native version code, in the digits that they sent.
   * @example '10'
   */
  @QueryText()
  appVersionCode?: string;

  /**
   * Only devices with exactly this native version name, in the digits that they sent.
   * @example '1.0.0'
   */
  @QueryText()
  appVersionName?: string;

  /** Only devices that were last seen at or after this time. */
  @IsEmptyOr()
  @IsDateInput()
  lastSeenFrom?: Date;

  /** Only devices that were last seen before this time. */
  @IsEmptyOr()
  @IsDateInput()
  lastSeenTo?: Date;

  /**
   * Instead of `offset`, for lists of any length: `first` for the first page, then as in the `Link` of the page before, with
   * the same filters. Such a page is read from an index and does not count: it has no `X-Total-Count`.
   * @example 'first'
   */
  @QueryText(MAX_CURSOR_LENGTH)
  cursor?: string;

  @Relations('appChannel', 'appBuild', 'offeredAppBuild')
  relations?: string[];
}

/** @param message for a value that is no text */
export function IsCustomId(message: string): PropertyDecorator {
  return applyDecorators(
    MaxLength(MAX_CUSTOM_ID_LENGTH, {
      message: `customId must be at most ${MAX_CUSTOM_ID_LENGTH} characters long.`,
    }),
    MinLength(1, { message: 'customId must not be empty.' }),
    IsString({ message }),
  );
}

/** The devices with one custom id. */
export class DevicesOfCustomIdQuery {
  /**
   * The exact custom id. Pass the original id even if the app stores hashes.
   * @example 'user-42'
   */
  @ApiProperty({ type: 'string', minLength: 1, maxLength: MAX_CUSTOM_ID_LENGTH })
  @IsCustomId('customId is required and must be given once.')
  customId!: string;
}

/** Which devices to delete: those with one custom id, or those with some ids. */
export class DeleteDevicesQuery {
  /**
   * The exact custom id. Pass the original id even if the app stores hashes. Not together with `id`.
   * @example 'user-42'
   */
  @ApiProperty({ type: 'string', minLength: 1, maxLength: MAX_CUSTOM_ID_LENGTH, required: false })
  @IsOptional()
  @IsCustomId('customId must be given once.')
  customId?: string;

  /** Exactly the devices with these ids, at most 500: repeat the parameter. Any text, as former versions recorded it. */
  @ApiProperty({ type: 'array', items: { type: 'string' }, maxItems: MAX_DEVICES, required: false })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? [value] : value))
  @MinLength(1, { each: true, message: 'id must not be empty.' })
  @ArrayMaxSize(MAX_DEVICES, { message: `id must name at most ${MAX_DEVICES} devices.` })
  @IsString({ each: true, message: 'id must be a text; several ids are several parameters.' })
  @IsArray({ message: 'id must be a text; several ids are several parameters.' })
  id?: string[];
}
