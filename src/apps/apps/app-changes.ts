import { Injectable } from '@nestjs/common';
import { Listeners } from '../../common/listeners.js';

/** Changes of apps that others follow. */
@Injectable()
export class AppChanges {
  /** The custom ids of the app's devices are to be hashed from now on; maybe they were already. */
  readonly customIdHashingRequested = new Listeners<[appId: string, organizationId: string]>();
  /** The app has left its organization, and must lose what belongs to that. */
  readonly transferred = new Listeners<[appId: string]>();
}
