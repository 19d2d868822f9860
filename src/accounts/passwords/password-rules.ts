/** More characters are not judged: the time that it takes grows with their number. */
const JUDGED_CHARACTERS = 64;

/** Of the library, 0 to 4: 3 is at least 10^8 guesses. */
const MIN_SCORE = 3;
let judge: ReturnType<typeof loadJudge> | undefined;

export const MIN_PASSWORD_LENGTH = 12;
export const MAX_PASSWORD_LENGTH = 256;

/**
 * What is wrong with a new password, as a sentence; `null`: nothing. It must be long enough and not easy to guess, as
 * NIST SP 800-63B advises; its kinds of characters do not matter.
 *
 * @param email of its user, which it must not consist of
 */
export async function passwordProblem(password: string, email: string): Promise<string | null> {
  // Characters as people count them, not UTF-16 units.
  const { length } = Array.from(password);
  if (length < MIN_PASSWORD_LENGTH) {
    return `The password must have at least ${MIN_PASSWORD_LENGTH} characters.`;
  }
  if (length > MAX_PASSWORD_LENGTH)
    return `The password must have at most ${MAX_PASSWORD_LENGTH} characters.`;
  if (password.includes('\0') || !password.isWellFormed()) {
    return 'The password contains a character that cannot be used.';
  }
  if (await isGuessable(password, email)) {
    return 'The password is too easy to guess. Use a few unusual words that do not belong together.';
  }
  return null;
}

/** As `passwordProblem`, of a password that was typed twice. */
export async function newPasswordProblem(
  typed: { readonly password: string; readonly repeated: string },
  email: string,
): Promise<string | null> {
  return typed.password === typed.repeated
    ? passwordProblem(typed.password, email)
    : 'The two new passwords are not the same.';
}

/**
 * Whether a password is found with few guesses: common passwords and names, repetitions, sequences, rows of keys, dates,
 * and the user's own address. Only its first 64 characters are judged.
 */
async function isGuessable(password: string, email: string): Promise<boolean> {
  judge ??= loadJudge();
  const { check } = await judge;
  const characters = Array.from(password).slice(0, JUDGED_CHARACTERS).join('');
  return check(characters, ['slipway', email, ...email.split(/[^\p{L}\p{N}]+/u)]).score < MIN_SCORE;
}

/** Loads the library and its dictionary with the first new password: most servers see none for days. */
async function loadJudge() {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  const library = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  return { check: (text: string, words: string[]) => library.check(text, words) };
}
