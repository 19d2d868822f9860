import { DisabledUsers } from '../../accounts/disabled-users/disabled-users.service.js';
import { Config } from '../../config/config.js';
import { command } from '../command.js';
import { addressOf } from '../installation.js';
import { withApplication } from '../with-application.js';
import { findUser, requireEmail } from './find-user.js';

/** `slipway user enable` */
export const userEnable = command({
  options: { email: { type: 'string', value: 'ADDRESS', help: 'the user' } },
  details: 'Sessions and API tokens that ended when the user was disabled do not come back.',
  run: async ({ email }) => {
    const address = requireEmail(email);
    await withApplication(async (app) => {
      const user = await findUser(app, address);
      await app.get(DisabledUsers, { strict: false }).enable(user.id);
      const url = addressOf(app.get(Config, { strict: false }));
      console.log(`${user.email} is enabled and can sign in at ${url}/login.`);
    });
  },
});
