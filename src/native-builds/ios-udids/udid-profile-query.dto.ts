import { IsText } from '../../common/validation/is-text.decorator.js';

/** Where a device is led with its UDID. */
export class UdidProfileQuery {
  /**
   * Address on this server, or at an origin of `UDID_CALLBACK_ORIGINS`, without a fragment. The parameter `udid` is added.
   * @example 'https://slipway.example.com/app-build-shares/0192f3c1-8a4b-7c55-9d2e-6f1a2b3c4d5e'
   */
  @IsText(1000, 1)
  callbackUrl!: string;
}
