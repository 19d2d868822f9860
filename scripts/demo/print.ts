import { styleText } from 'node:util';

let count = 0;

/** Begins a step of the story. */
export function step(title: string): void {
  console.log(`\n${styleText('bold', `${++count}. ${title}`)}`);
}

/** A fact that was checked. */
export function fact(text: string): void {
  console.log(`   ${styleText('green', '✓')} ${text}`);
}

/** A comment. */
export function note(text: string): void {
  console.log(`   ${styleText('dim', text)}`);
}

/** Bytes for people: `1.2 kB`. */
export function bytes(count: number): string {
  if (count < 1000) return `${count} bytes`;
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)} kB` : `${(count / 1_000_000).toFixed(2)} MB`;
}
