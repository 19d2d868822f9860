import { ApiProperty } from '@nestjs/swagger';
import { ApiId } from '../../common/openapi/api-fields.decorators.js';
import { type ChangedKind, changedKinds } from './changed-kinds.js';

/**
 * An object that has changed: read it again if you show it. `app`: something about the app, such as a channel. `inbox`: what
 * waits for people in the organization.
 */
export class ChangeHintDto {
  /** Its app; `null`: it belongs to the organization. */
  @ApiId()
  appId!: string | null;

  @ApiProperty({ enum: changedKinds, enumName: 'ChangedKind' })
  kind!: ChangedKind;

  /** Of the object. */
  @ApiId()
  id!: string;
}
