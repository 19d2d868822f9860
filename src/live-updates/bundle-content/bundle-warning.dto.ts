import { ApiProperty } from '@nestjs/swagger';
import { type BundleWarningCode, bundleWarningCodes } from './bundle-warnings.js';

/** A remark about a bundle that works, but may surprise on devices. */
export class BundleWarningDto {
  @ApiProperty({ enum: bundleWarningCodes, enumName: 'BundleWarningCode' })
  code!: BundleWarningCode;

  /**
   * For people.
   * @example 'Everything is in the folder www. Devices find the index.html there, but publish the content of the folder instead.'
   */
  message!: string;
}
