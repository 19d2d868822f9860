import { text } from 'node:stream/consumers';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { PasswordsModule } from '../accounts/passwords/passwords.module.js';
import { PasswordsService } from '../accounts/passwords/passwords.service.js';
import { passwordProblem } from '../accounts/passwords/password-rules.js';
import { TwoFactorModule } from '../accounts/two-factor/two-factor.module.js';
import { TwoFactorService } from '../accounts/two-factor/two-factor.service.js';
import type { User } from '../accounts/users/user.entity.js';
import { UsersModule } from '../accounts/users/users.module.js';
import { UsersService } from '../accounts/users/users.service.js';
import { SecretsModule } from '../common/secrets/secrets.module.js';
import { Config } from '../config/config.js';
import { ConfigModule } from '../config/config.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { entities } from '../entities.js';
import { command, UsageError } from './command.js';
import { addressOf, lineOf } from './installation.js';
import { noSuchUser } from './users/with-user.js';
import { withModules } from './with-application.js';

/** `slipway password`: sets the first or a forgotten password. */
export const password = command({
  options: {
    email: { type: 'string', value: 'ADDRESS', help: 'the user' },
    'without-two-factor': {
      type: 'boolean',
      default: false,
      help: 'also switch two-factor authentication off',
    },
  },
  details:
    'Ends the sessions of the user. Prompts for the password in a terminal, or reads it from the first line of\n' +
    'standard input.',
  run: async ({ email, 'without-two-factor': withoutTwoFactor }) => {
    if (email === undefined) throw new UsageError('--email is required.');
    await withModules(
      (config) => [
        ConfigModule.with(config),
        SecretsModule,
        DatabaseModule.with(entities),
        UsersModule,
        PasswordsModule,
        TwoFactorModule,
      ],
      async (app) => {
        const config = app.get(Config);
        const user = await app.get(UsersService).findByEmail(email.trim().toLowerCase());
        if (user === null) throw noSuchUser(config, email);
        const password = await readPassword();
        const problem = await passwordProblem(password, user.email);
        if (problem !== null) throw new Error(problem);
        const passwords = app.get(PasswordsService);
        await passwords.set(user.id, await passwords.prepare(password, user.email));
        if (withoutTwoFactor) await app.get(TwoFactorService).disable(user.id);
        console.log(`The password of ${user.email} is set. ${howToSignIn(config, user)}`);
      },
    );
  },
});

/** The sentence that follows. */
function howToSignIn(config: Config, { email, disabledAt }: User): string {
  if (disabledAt !== null) {
    return `The user is disabled. To enable the user, run: ${lineOf(config, 'user enable', '--email', email)}`;
  }
  return config.signIn.local
    ? `Sign in at ${addressOf(config)}/login.`
    : 'LOCAL_SIGN_IN=false turns sign-in with passwords off.';
}

/** Prompts twice in a terminal, which does not show the input. */
async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).split(/\r?\n/, 1)[0] ?? '';
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silence, terminal: true });
  const ask = async (question: string): Promise<string> => {
    process.stdout.write(question);
    const answer = await terminal.question('');
    process.stdout.write('\n');
    return answer;
  };
  try {
    const password = await ask('New password: ');
    if ((await ask('Again: ')) !== password) throw new Error('The two passwords are not the same.');
    return password;
  } finally {
    terminal.close();
  }
}
