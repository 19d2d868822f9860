import { IsNotEmpty, IsString } from 'class-validator';

/** Which channel to delete. */
export class DeleteChannelQuery {
  /**
   * The name of the channel, ignoring case.
   * @example 'beta'
   */
  @IsNotEmpty({ message: '$property is required.' })
  @IsString({ message: '$property is required.' })
  name!: string;
}
