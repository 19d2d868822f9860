import { ApiProperty } from '@nestjs/swagger';

/** The actions. */
export const remedyKinds = [
  'unforce-channel',
  'create-channel',
  'set-default-channel',
  'resume-channel',
  'extend-channel',
  'deploy',
  'publish-bundle',
  'approve-deployment',
  'raise-rollout',
  'raise-native-version',
  'lower-native-version',
  'change-native-version',
  'sign-bundle',
  'register-checksum',
  'extend-bundle',
  'change-files',
  'import-manifest',
  'repair-bundle',
  'offer-again',
  'support-type',
] as const;
export type RemedyKind = (typeof remedyKinds)[number];

/** One necessary change. */
export class RemedyDto {
  /** The action. */
  @ApiProperty({ enum: remedyKinds, enumName: 'RemedyKind' })
  remedy!: RemedyKind;

  /** The type of the object to change. */
  @ApiProperty({ enum: ['app', 'channel', 'deployment', 'bundle', 'device'], enumName: 'RemedyTarget' })
  target!: 'app' | 'channel' | 'deployment' | 'bundle' | 'device';

  /** Id of the object to change; `null`: a device without id, or a channel that does not exist. */
  @ApiProperty({ type: 'string', nullable: true, example: '0190e6d4-3a5b-7c11-9d2e-5f60718293a4' })
  id!: string | null;

  /**
   * The required value: the lowest share, the lowest, highest or excluded native version, the first version of the
   * plugin, `signed`, `ready`, `zip`, `intact`, `checksum`, the roll-backs from which on a bundle is withheld, or the name of a channel.
   * `null`: none.
   */
  @ApiProperty({ oneOf: [{ type: 'string', nullable: true }, { type: 'number' }] })
  required!: string | number | null;

  /** The current value: the bucket of the device, its version, its roll-backs, the time of the pause or the expiry. `null`: none. */
  @ApiProperty({ oneOf: [{ type: 'string', nullable: true }, { type: 'number' }] })
  actual!: string | number | null;

  /**
   * The change as one sentence.
   * @example 'The rollout must be at least 0.4138: the bucket of the device is 0.4137.'
   */
  message!: string;
}
