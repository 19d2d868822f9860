import { randomBytes } from 'node:crypto';

/** Text as builds make it: it compresses well, and no two are the same. @param length about, in characters */
export function largeText(length: number): string {
  const name = randomBytes(8).toString('hex');
  let text = `// ${name}\n`;
  for (let i = 0; text.length < length; i++) text += `export const value${i} = compute('${name}', ${i});\n`;
  return text;
}
