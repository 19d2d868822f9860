import { styleText } from 'node:util';
import { createSignInLink, SIGN_IN_LINK_MINUTES } from '../../accounts/sign-in-links/create-sign-in-link.js';
import { isStoredToken, tokenFileIn } from '../../accounts/tokens/stored-token.js';
import type { Config } from '../../config/config.js';
import { addressOf } from '../installation.js';

/** Whether the banner goes to a person alone. The output of a terminal with JSON logs is collected: `docker run -t`. */
function isSeenInTerminal(config: Config): boolean {
  return process.stdout.isTTY && config.log.pretty;
}

/**
 * Makes the link with which the first user sets a password, to be shown by the banner. Only for the embedded database.
 *
 * @param token that the banner shows: the link is for the same user
 * @returns path and query; `null` when the banner does not go to a terminal, passwords are switched off, the user can
 *   sign in already, or the database has just been lost: the server has started, and does not need the link
 */
export async function signInLinkFor(config: Config, token: string | null): Promise<string | null> {
  const { url } = config.database;
  if (url === null || token === null || !config.signIn.local || !isSeenInTerminal(config)) return null;
  return createSignInLink(url, token).catch(() => null);
}

/** The API token of the first user, for the banner. */
export interface BannerToken {
  /** `null`: the file that kept it was removed. */
  readonly text: string | null;
  /** Whether requests can use it: it may have been deleted or rotated, or have expired. */
  readonly isValid: boolean;
}

/**
 * Checks the token of the first user.
 *
 * @param token `null`: its file was removed
 * @returns a token that is not valid also when the database has just been lost
 */
export async function bannerTokenOf(config: Config, token: string | null): Promise<BannerToken> {
  const { url } = config.database;
  if (url === null || token === null) return { text: token, isValid: false };
  return { text: token, isValid: await isStoredToken(url, token).catch(() => false) };
}

/**
 * What `npm start` without any configuration prints.
 *
 * @param token shown only if it is valid
 * @param signInLink path and query of the link with which the first user sets a password; `null`: not needed
 * @param runner what the built-in runner does, in lines; none: there is no such runner
 */
export function banner(
  config: Config,
  token: BannerToken,
  signInLink: string | null,
  runner: readonly string[] = [],
): string {
  const url = addressOf(config);
  const bold = (text: string): string => styleText('bold', text);
  const signIn =
    signInLink === null
      ? []
      : [
          `  Open this link to set your password and sign in, once and within ${SIGN_IN_LINK_MINUTES} minutes:`,
          '',
          `  ${bold(url + signInLink)}`,
          '',
        ];
  return [
    '',
    `  ${bold('Slipway is running.')}`,
    '',
    ...signIn,
    `  Console      ${url}`,
    `  API          ${url}/v1`,
    ...(config.http.docs ? [`  Swagger UI   ${url}/docs`] : []),
    ...runner.map((line, index) => `  ${index === 0 ? 'Runner       ' : ' '.repeat(13)}${line}`),
    `  API token    ${token.isValid ? token.text : `create one at ${url}/settings/tokens`}`,
    `               (${whereKept(token)} ${tokenFileIn(config.storage.dataDir)})`,
    '',
  ].join('\n');
}

/** The words before the path of the file. */
function whereKept({ text, isValid }: BannerToken): string {
  if (text === null) return 'there is no';
  return isValid ? 'kept in' : 'no longer valid:';
}
