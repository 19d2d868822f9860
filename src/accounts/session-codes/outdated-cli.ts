/** The first version of the command-line tool that sends the token of its session. */
const FIRST = { major: 4, minor: 15 };

/**
 * Whether a program is a version of the command-line tool that sends the id of its session as the bearer token. The id is
 * no secret, so that Slipway does not accept it: these versions need an API token.
 *
 * @param userAgent such as `Capawesome CLI v4.14.0`
 */
export function isOutdatedCli(userAgent: string | null): boolean {
  const version = /^Capawesome CLI v(\d+)\.(\d+)\./.exec(userAgent ?? '');
  if (version === null) return false;
  const [major, minor] = [Number(version[1]), Number(version[2])];
  return major < FIRST.major || (major === FIRST.major && minor < FIRST.minor);
}
