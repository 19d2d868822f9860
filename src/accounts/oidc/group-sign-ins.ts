import { Injectable } from '@nestjs/common';
import type { Role } from '../../common/access/permissions.js';
import { Listeners } from '../../common/listeners.js';

/** Sign-ins at the OpenID provider whose groups give roles in organizations. */
@Injectable()
export class GroupSignIns {
  /** Roles by the id of the organization; there may be no organization of an id. */
  readonly signedIn = new Listeners<[userId: string, roles: ReadonlyMap<string, Role>]>();
}
