import { UsersService } from '../../accounts/users/users.service.js';
import { command } from '../command.js';
import { withApplication } from '../with-application.js';
import { findUser, requireEmail } from './find-user.js';

/** `slipway user verify` */
export const userVerify = command({
  options: { email: { type: 'string', value: 'ADDRESS', help: 'the user' } },
  details:
    'For users who joined with a link that was not mailed. Run it only if you know that the person behind the account owns\n' +
    'the address: nothing of the account changes but that it counts as verified.',
  run: async ({ email }) => {
    const address = requireEmail(email);
    await withApplication(async (app) => {
      const user = await findUser(app, address);
      await app.get(UsersService, { strict: false }).confirmEmail(user.id);
      console.log(`The address of ${user.email} is verified.`);
    });
  },
});
