import { SetMetadata } from '@nestjs/common';

export const AFTER_CHECK_INS = 'slipway:after-check-ins';

/**
 * For routes that show or change devices: they wait until every check-in that this replica has received is written to
 * the database.
 */
export function AfterCheckIns(): ClassDecorator {
  return SetMetadata(AFTER_CHECK_INS, true);
}
