import { DisabledUsers } from '../../accounts/disabled-users/disabled-users.service.js';
import { UsersService } from '../../accounts/users/users.service.js';
import { Config } from '../../config/config.js';
import { UserAccess } from '../../organizations/user-access/user-access.service.js';
import { command } from '../command.js';
import { addressOf } from '../installation.js';
import { withUser } from './with-user.js';

const options = { email: { type: 'string', value: 'ADDRESS', help: 'the user' } } as const;

/** `slipway user disable` */
export const userDisable = command({
  options,
  details:
    'The user cannot sign in any more, in whatever way. Nothing of the user is deleted but sessions, API tokens, approved\n' +
    'codes and links. Refuses to disable the last owner of an organization.',
  run: ({ email }) =>
    withUser(email, async (app, user) => {
      const isDone = await app.get(UserAccess, { strict: false }).disable(user.id);
      console.log(
        isDone
          ? `${user.email} is disabled. Sessions, API tokens and sign-ins in progress have ended.`
          : `${user.email} is disabled already.`,
      );
    }),
});

/** `slipway user enable` */
export const userEnable = command({
  options,
  details: 'Sessions and API tokens that ended when the user was disabled do not come back.',
  run: ({ email }) =>
    withUser(email, async (app, user) => {
      await app.get(DisabledUsers, { strict: false }).enable(user.id);
      const url = addressOf(app.get(Config, { strict: false }));
      console.log(`${user.email} is enabled and can sign in at ${url}/login.`);
    }),
});

/** `slipway user verify` */
export const userVerify = command({
  options,
  details:
    'For users who joined with a link that was not mailed. Run it only if you know that the person behind the account owns\n' +
    'the address: nothing of the account changes but that it counts as verified.',
  run: ({ email }) =>
    withUser(email, async (app, user) => {
      await app.get(UsersService, { strict: false }).confirmEmail(user.id);
      console.log(`The address of ${user.email} is verified.`);
    }),
});
