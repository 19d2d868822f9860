import { IsOptional } from 'class-validator';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { QueryDay } from './day.decorator.js';
import { type Dimension, dimensionNames } from './dimensions.js';

/** Which days are wanted, at most 400. */
export class DaysQuery {
  /** The first day (UTC); by default the 30th that ends with `to`. */
  @QueryDay()
  from?: string;

  /** The last day (UTC); by default yesterday. */
  @QueryDay()
  to?: string;
}

/** How devices are told apart. */
export class DevicesByQuery extends DaysQuery {
  @IsOneOf(dimensionNames, 'DeviceDimension')
  groupBy!: Dimension;
}

/** Which downloads are wanted. */
export class DownloadsQuery extends PageQuery {
  /** The first day (UTC); by default the 30th that ends with `to`. */
  @QueryDay()
  from?: string;

  /** The last day (UTC); by default today, as far as it was counted. */
  @QueryDay()
  to?: string;

  /** Only of this bundle. */
  @IsOptional()
  @IsId()
  bundleId?: string;
}
