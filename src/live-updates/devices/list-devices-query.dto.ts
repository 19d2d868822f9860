import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import { Relations } from '../../common/validation/relations.decorator.js';

/** What to include with a device. */
export class GetDeviceQuery {
  @Relations('appChannel')
  relations?: string[];
}

/** Which devices to list. */
export class ListDevicesQuery extends PageQuery {
  /** Only the device with exactly this id. */
  @QueryText()
  id?: string;

  /** Only devices whose id or custom id contains this text, whatever its case. */
  @QueryText()
  query?: string;

  @Relations('appChannel')
  relations?: string[];
}
