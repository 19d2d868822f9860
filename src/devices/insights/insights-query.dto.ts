import { IsOptional } from 'class-validator';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { QueryDay } from './day.decorator.js';
import { type Dimension, dimensionNames } from './dimensions.js';

/** The days to return, at most 400. */
export class DaysQuery {
  /** The first day (UTC); by default 29 days before `to`. */
  @QueryDay()
  from?: string;

  /** The last day (UTC); by default today, up to now. */
  @QueryDay()
  to?: string;
}

/** How to group devices. */
export class DevicesByQuery extends DaysQuery {
  @IsOneOf(dimensionNames, 'DeviceDimension')
  groupBy!: Dimension;
}

/** Which downloads to list. */
export class DownloadsQuery extends PageQuery {
  /** The first day (UTC); by default 29 days before `to`. */
  @QueryDay()
  from?: string;

  /** The last day (UTC); by default today, up to the last count. */
  @QueryDay()
  to?: string;

  /** Only downloads of this bundle. */
  @IsOptional()
  @IsId()
  bundleId?: string;
}
