import { command } from './command.js';
import { columns } from './columns.js';
import { withApplication } from './with-application.js';

const TITLES = ['ACCOUNT', 'ORGANIZATIONS', 'LIMIT', 'RUNNING', 'WAITING', 'LONGEST WAIT'];

/** `slipway accounts`: who holds and waits for what all tenants share. See docs/capacity.md#shared-capacity. */
export const accounts = command({
  options: { json: { type: 'boolean', default: false, help: 'as JSON, with ids' } },
  run: async ({ json }) => {
    const { AccountUsesQueries } = await import('../organizations/organizations/account-uses.queries.js');
    await withApplication(async (app) => {
      const uses = await app.get(AccountUsesQueries, { strict: false }).all();
      if (json) return console.log(JSON.stringify(uses, null, 2));
      if (uses.length === 0) return console.log('No account uses or waits for anything now.');
      const rows = uses.map((use) => [
        use.email ?? use.account,
        String(use.organizations),
        use.limit,
        String(use.running),
        String(use.waiting),
        use.waiting === 0 ? '-' : `${use.waitSeconds} s`,
      ]);
      console.log(columns([TITLES, ...rows]));
    });
  },
});
