import { IsText } from '../../common/validation/is-text.decorator.js';

/** A legal hold, which prevents the deletion of a bundle. */
export class PutLegalHoldDto {
  /**
   * Reason, 1 to 1,000 characters; stored with the bundle and in the audit log.
   * @example 'Case 2026-118: keep what was delivered in March'
   */
  @IsText(1000, 1)
  reason!: string;
}
