import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';

export const destinationCheckNames = [
  'configuration',
  'sign_in',
  'package',
  'track',
  'agreements',
  'app',
  'role',
  'groups',
] as const;
export type DestinationCheckName = (typeof destinationCheckNames)[number];

/** One thing that a submission needs. */
@ApiExample({ name: 'sign_in', storeMessage: null, link: null })
export class DestinationCheckDto {
  /**
   * `configuration`: the destination has the fields that a submission needs; `sign_in`: the store accepts the key. Google
   * Play: `package`: the key may see the app; `track`: the app has the track. App Store Connect: `agreements`: the team has
   * accepted them; `app`: the key can see the app; `role`: it may read what a submission reads; `groups`: the app has the
   * TestFlight groups.
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

/** An app that a key of App Store Connect can see. */
export class VisibleAppDto {
  /**
   * What `appleAppId` of a destination names.
   * @example '1234567890'
   */
  appleAppId!: string;

  /** @example 'Example Shop' */
  name!: string;

  /** @example 'com.example.shop' */
  bundleId!: string;

  /**
   * Whether it is the app of the destination: the one of `appleAppId`, else the one of its last submission.
   * @example true
   */
  isMatch!: boolean;
}

/** What a destination and its key are good for. */
export class DestinationVerificationDto {
  /** Whether all checks are ok. */
  ok!: boolean;

  /** In this order. Those that need one that failed are left out. */
  @ApiProperty({ type: [DestinationCheckDto] })
  checks!: DestinationCheckDto[];

  /**
   * The account that the key of a service account signs in; `null`: the destination has none.
   * @example 'publisher@example.iam.gserviceaccount.com'
   */
  accountEmail!: string | null;

  /** App Store Connect: the app of the destination first, then up to 20 others that the key can see. */
  @ApiProperty({ type: [VisibleAppDto] })
  apps!: VisibleAppDto[];
}
