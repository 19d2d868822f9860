import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsText } from '../../common/validation/is-text.decorator.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';

const formats = ['png'] as const;

/** Which QR code to make. */
export class QrCodeQuery {
  /**
   * What the code holds, such as an address.
   * @example 'https://slipway.example.com'
   */
  @IsText(1000, 1)
  content!: string;

  /** Only `png`, which is the default. */
  @IsEmptyOr()
  @IsOneOf(formats, 'QrCodeFormat')
  format?: (typeof formats)[number];
}
