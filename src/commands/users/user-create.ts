import type { INestApplicationContext } from '@nestjs/common';
import { isEmail } from 'class-validator';
import { SignInLinksService } from '../../accounts/sign-in-links/sign-in-links.service.js';
import type { User } from '../../accounts/users/user.entity.js';
import { UsersService } from '../../accounts/users/users.service.js';
import { type Role, roles } from '../../common/access/permissions.js';
import { isUuid } from '../../common/validation/uuid.js';
import { Config } from '../../config/config.js';
import { providerNameOf } from '../../config/groups/sign-in-config.js';
import { transaction } from '../../database/transactions/transaction.js';
import { MembersService } from '../../organizations/members/members.service.js';
import { OrganizationsService } from '../../organizations/organizations/organizations.service.js';
import { command, UsageError } from '../command.js';
import { addressOf, lineOf } from '../installation.js';
import { withApplication } from '../with-application.js';

const LINK_HOURS = 24;
const MAX_LENGTH = 255;

/** Of which organization the new user becomes a member. */
interface Place {
  readonly organizationId: string;
  readonly role: Role;
}

/** `slipway user create`: creates a user, or makes another link for one who cannot sign in yet. */
export const userCreate = command({
  options: {
    email: { type: 'string', value: 'ADDRESS', help: 'with which the user signs in' },
    name: { type: 'string', value: 'NAME', help: 'for people' },
    organization: {
      type: 'string',
      value: 'ID',
      help: 'an organization that a new user becomes a member of',
    },
    role: { type: 'string', value: 'ROLE', default: 'member', help: `there: ${roles.join(', ')}` },
  },
  details:
    `Prints a link with which the user sets a password. It works once, for ${LINK_HOURS} hours. Run the command again for\n` +
    'another link. Without --organization, invite the user, or let them create an organization.',
  run: async ({ email, name, organization, role }) => {
    const address = email?.trim().toLowerCase() ?? '';
    if (!isEmail(address, { require_tld: false })) throw new UsageError('--email must be an e-mail address.');
    const trimmed = name?.trim();
    if (trimmed === '' || (trimmed?.length ?? 0) > MAX_LENGTH) {
      throw new UsageError(`--name must be 1 to ${MAX_LENGTH} characters long.`);
    }
    const place = parsePlace(organization, role);
    await withApplication(async (app) => {
      const { user, isNew } = await create(app, address, trimmed, place);
      await report(app, user, isNew);
    });
  },
});

/** @throws UsageError */
function parsePlace(organization: string | undefined, role: string): Place | null {
  const known = roles.find((each) => each === role);
  if (known === undefined) throw new UsageError(`--role must be one of: ${roles.join(', ')}.`);
  if (organization === undefined) return null;
  if (!isUuid(organization)) throw new UsageError('--organization must be the id of an organization.');
  return { organizationId: organization.toLowerCase(), role: known };
}

/** Finds the user, or creates one. Changes nothing of a user that there is. */
function create(
  app: INestApplicationContext,
  email: string,
  name: string | undefined,
  place: Place | null,
): Promise<{ user: User; isNew: boolean }> {
  const users = app.get(UsersService, { strict: false });
  return transaction(async () => {
    const found = await users.findByEmail(email);
    if (found !== null) return { user: found, isNew: false };
    const user = await users.create(email);
    if (name !== undefined) await users.setName(user.id, name);
    if (place !== null) {
      await app.get(OrganizationsService, { strict: false }).get(place.organizationId);
      await app.get(MembersService, { strict: false }).create(place.organizationId, user.id, place.role);
    }
    return { user, isNew: true };
  });
}

/** @throws Error when a user that there was gets no link */
async function report(app: INestApplicationContext, { id, email, disabledAt }: User, isNew: boolean) {
  const config = app.get(Config, { strict: false });
  if (disabledAt !== null) {
    throw new Error(
      `${email} is disabled. To enable the user, run: ${lineOf(config, 'user enable', '--email', email)}`,
    );
  }
  const done = isNew ? `The user ${email} is created.` : `There is a user ${email}.`;
  const address = addressOf(config);
  if (!config.signIn.local) {
    console.log(
      `${done} They sign in with ${providerNameOf(config.oidc) ?? 'the provider'} at ${address}/login.`,
    );
    return;
  }
  const links = app.get(SignInLinksService, { strict: false });
  const path = await links.create(id, 'first-password', LINK_HOURS * 60);
  if (path === null) {
    throw new Error(
      `${email} can sign in already, at ${address}/login. To set a new password, run: ${lineOf(config, 'password', '--email', email)}`,
    );
  }
  console.error(`${done} Open this link to set a password and sign in, once and within ${LINK_HOURS} hours:`);
  console.log(address + path);
}
