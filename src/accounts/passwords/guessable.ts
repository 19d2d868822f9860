/** More characters are not judged: the time that it takes grows with their number. */
const JUDGED_CHARACTERS = 64;
/** Of the library, 0 to 4: 3 is at least 10^8 guesses. */
const MIN_SCORE = 3;

let judge: ReturnType<typeof loadJudge> | undefined;

/**
 * Whether a password is found with few guesses: common passwords and names, repetitions, sequences, rows of keys, dates,
 * and the user's own address. Only its first 64 characters are judged.
 */
export async function isGuessable(password: string, email: string): Promise<boolean> {
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
