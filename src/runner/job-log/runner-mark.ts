/** What lines of the runner begin with: commands cannot print it, so they cannot print such lines. */
export const RUNNER_MARK = '§ ';

/** The character of the mark, as bytes in a text of Latin-1, and what stands for it elsewhere. */
const CHARACTER = Buffer.from('§').toString('latin1');
const ESCAPED = String.raw`\u00a7`;

/** Escapes the mark in what a command has printed. */
export function withoutMark(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  return text.includes(CHARACTER) ? Buffer.from(text.replaceAll(CHARACTER, ESCAPED), 'latin1') : bytes;
}

/** A line of the runner. @param text may contain what a repository says: it becomes one line */
export function runnerLine(text: string): Buffer {
  const line = withoutMark(Buffer.from(text.replaceAll(/\s*[\r\n]+\s*/g, ' '))).toString();
  return Buffer.from(`${RUNNER_MARK}${line}\n`);
}
