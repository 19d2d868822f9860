import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { StoreRefusal } from '../calls/refusals/refusal.js';
import { StoreUnreachableError } from '../calls/store-session.js';

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

/** A check that is ok. */
export function passed(name: DestinationCheckName, message: string): DestinationCheckDto {
  return { name, ok: true, message, storeMessage: null, link: null };
}

/** A check that is not. @param link where to act */
export function failed(
  name: DestinationCheckName,
  message: string,
  link: string | null = null,
): DestinationCheckDto {
  return { name, ok: false, message, storeMessage: null, link };
}

/** A check that a call of a store has ended. @throws the error itself when it is not about the store */
export function failedBy(name: DestinationCheckName, error: unknown): DestinationCheckDto {
  if (error instanceof StoreRefusal) {
    const { sentence, link = null } = error.refusal;
    return { ...failed(name, sentence, link), storeMessage: error.storeMessage };
  }
  if (!(error instanceof StoreUnreachableError)) throw error;
  return failed(name, `The store did not answer: ${error.message} Try again later.`);
}

/** Whether the destination has what submissions need. @param fields names in requests of what is missing */
export function configurationCheck(fields: readonly string[], said: string): DestinationCheckDto {
  if (fields.length === 0) return passed('configuration', said);
  const them = fields.length === 1 ? 'it' : 'them';
  return failed('configuration', `Submissions need ${fields.join(', ')}: set ${them} at the destination.`);
}
