import { randomBytes, randomInt } from 'node:crypto';

/** Text as builds make it: it compresses well, and no two are the same. @param length about, in characters */
export function largeText(length: number): string {
  const name = randomBytes(8).toString('hex');
  let text = `// ${name}\n`;
  for (let i = 0; text.length < length; i++) text += `export const value${i} = compute('${name}', ${i});\n`;
  return text;
}

/** Text with as little order as people write: the better its compression, the longer it takes. @param length in characters */
export function variedText(length: number): string {
  const words = Array.from({ length: 3000 }, () => randomBytes(randomInt(1, 6)).toString('hex'));
  let text = '';
  while (text.length < length) text += `${words[randomInt(randomInt(1, words.length))]} `;
  return text.slice(0, length);
}
