import { type ListedUser, UserListQueries } from '../../organizations/user-access/user-list.queries.js';
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
    // Names may have control characters, which a terminal would obey.
  ].map((cell) => cell.replace(/\p{Cc}/gu, ' '));
}

function dayOf(time: Date | null): string {
  return time?.toISOString().slice(0, 10) ?? '-';
}

/** Lines in which each column begins at the same place. */
function columns(rows: readonly (readonly string[])[]): string {
  const widths = COLUMNS.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
