import { UserAccess } from '../../organizations/user-access/user-access.service.js';
import { command } from '../command.js';
import { withApplication } from '../with-application.js';
import { findUser, requireEmail } from './find-user.js';

/** `slipway user disable` */
export const userDisable = command({
  options: { email: { type: 'string', value: 'ADDRESS', help: 'the user' } },
  details:
    'The user cannot sign in any more, in whatever way. Nothing of the user is deleted but sessions, API tokens, approved\n' +
    'codes and links. Refuses to disable the last owner of an organization.',
  run: async ({ email }) => {
    const address = requireEmail(email);
    await withApplication(async (app) => {
      const user = await findUser(app, address);
      const isDone = await app.get(UserAccess, { strict: false }).disable(user.id);
      console.log(
        isDone
          ? `${user.email} is disabled. Sessions, API tokens and sign-ins in progress have ended.`
          : `${user.email} is disabled already.`,
      );
    });
  },
});
