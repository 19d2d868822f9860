import { uniqueName } from '../unique-name.js';
import type { Tenant } from '../../builders/identities.js';
import { PASSWORD } from '../../builders/person.js';
import type { Browser, Shown } from '../http/browser.js';
import { expectCreated } from '../http/expect-created.js';

/** An invitation as the one sees it who has made it. */
export interface Invited {
  readonly id: string;
  readonly email: string;
  readonly link: string | null;
}

/** An address that no user has. */
export const newAddress = (): string => `${uniqueName('guest').toLowerCase()}@example.com`;

/** Invites an address, by default one that no user has. */
export async function invite(tenant: Tenant, email = newAddress(), role = 'member'): Promise<Invited> {
  const path = `/v1/organizations/${tenant.organizationId}/invitations`;
  return expectCreated<Invited>(await tenant.owner.api.post(path, { email, role }));
}

/** Path and query of a link. */
export function pathOf(link: string | null): string {
  if (link === null) throw new Error('The invitation has no link.');
  const { pathname, search } = new URL(link);
  return pathname + search;
}

/** Sends the form of the page that the browser has opened. Does not follow. */
export function sendPassword(browser: Browser, password = PASSWORD, repeated = password): Promise<Shown> {
  return browser.send('/join', { ...browser.hidden('/join'), password, repeated });
}
