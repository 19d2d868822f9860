import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';

export const destinationCheckNames = ['configuration', 'sign_in', 'package', 'track'] as const;
export type DestinationCheckName = (typeof destinationCheckNames)[number];

/** One thing that a submission needs. */
@ApiExample({ name: 'sign_in', storeMessage: null, link: null })
export class DestinationCheckDto {
  /**
   * `configuration`: the destination has the fields that a submission needs; `sign_in`: the store accepts the key; `package`:
   * the key may see the app; `track`: the app has the track.
   */
  @ApiProperty({ enum: destinationCheckNames, enumName: 'DestinationCheckName' })
  name!: DestinationCheckName;

  /** Whether a submission finds what it needs. */
  ok!: boolean;

  /**
   * What was found; if it is not ok, what to do.
   * @example 'Google accepts the key of the service account.'
   */
  message!: string;

  /** What the store itself said; `null`: nothing, or nothing readable. */
  storeMessage!: string | null;

  /** Where to act; `null`: nowhere in particular. */
  link!: string | null;
}

/** What a destination and its key are good for. */
export class DestinationVerificationDto {
  /** Whether all checks are ok. */
  ok!: boolean;

  /** In this order. Those that need one that failed are left out. */
  @ApiProperty({ type: [DestinationCheckDto] })
  checks!: DestinationCheckDto[];

  /**
   * The account that the key signs in; `null`: the destination has no key.
   * @example 'publisher@example.iam.gserviceaccount.com'
   */
  accountEmail!: string | null;
}
