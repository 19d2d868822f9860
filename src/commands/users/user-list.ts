import { type ListedUser, UserListQueries } from '../../organizations/user-access/user-list.queries.js';
import { columns } from '../columns.js';
import { command } from '../command.js';
import { withApplication } from '../with-application.js';

const COLUMNS = ['EMAIL', 'NAME', 'LAST SEEN', '2FA', 'DISABLED', 'ORGANIZATIONS'];

/** `slipway user list` */
export const userList = command({
  options: { json: { type: 'boolean', default: false, help: 'as JSON, with ids' } },
  run: ({ json }) =>
    withApplication(async (app) => {
      const users = await app.get(UserListQueries, { strict: false }).all();
      console.log(json ? JSON.stringify(users, null, 2) : columns([COLUMNS, ...users.map(cellsOf)]));
    }),
});

function cellsOf(user: ListedUser): string[] {
  const organizations = user.organizations.map(({ name, role }) => `${name} (${role})`);
  return [
    user.email,
    user.name ?? '-',
    dayOf(user.lastSeenAt),
    user.twoFactorEnabled ? 'yes' : 'no',
    dayOf(user.disabledAt),
    organizations.join(', ') || '-',
  ];
}

function dayOf(time: Date | null): string {
  return time?.toISOString().slice(0, 10) ?? '-';
}
