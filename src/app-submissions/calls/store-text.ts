/** Characters without width that editors leave in texts: a space without width, and a byte order mark. Emoji use U+200D. */
const INVISIBLE = /[\u200B\uFEFF]/g;
/** The combining marks of Latin, Greek and Cyrillic letters. Other scripts have marks of their own, which stores take. */
const COMBINING = /(.?)([\u0300-\u036F])/su;

/** A text for a store: composed (NFC), with line feeds only, without invisible characters and blanks at its ends. */
export function storeText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(INVISIBLE, '').normalize('NFC').trim();
}

/**
 * The first combining mark that a text keeps as `storeText`, because no letter has it built in. Apple refuses such texts.
 *
 * @returns such as `U+0306 after "k"`; `null`: there is none
 */
export function combiningMarkIn(text: string): string | null {
  const [, letter = '', mark = ''] = COMBINING.exec(storeText(text)) ?? [];
  if (mark === '') return null;
  return codePointOf(mark) + (letter.trim() === '' ? '' : ` after "${letter}"`);
}

/** A character as Unicode numbers it: `U+0306`. */
function codePointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Sentences about refusals have at most 300 characters. */
const MAX_SHOWN = 30;
const MAX_DIFFERENCES = 2;

/** What people do not see, or do not mean, when two names differ. */
const ASPECTS: readonly {
  /** The name without it. */
  readonly without: (name: string) => string;
  /** How the name of a store differs from the wanted one. */
  readonly difference: (known: string, wanted: string) => string;
}[] = [
  {
    without: (name) => name.replaceAll(/[\u200B\uFEFF\p{Cc}]/gu, ''),
    difference: () => 'with other invisible characters',
  },
  { without: (name) => name.replaceAll(/\s+/g, ' ').trim(), difference: differenceOfBlanks },
  { without: (name) => name.normalize('NFC'), difference: () => 'with accents composed in another way' },
  { without: (name) => name.toLowerCase(), difference: () => 'in another case' },
];

/**
 * The name of a store that looks like a wanted one, which the store does not have.
 *
 * @param known names that the store has
 * @returns such as `the store has "Beta " with a blank at the end`; `null`: none is close
 */
export function nearMiss(wanted: string, known: readonly string[]): string | null {
  const near = known.find((name) => name !== wanted && loose(name) === loose(wanted));
  if (near === undefined) return null;
  const differences = ASPECTS.filter((aspect) => loose(near, aspect) !== loose(wanted, aspect));
  const words = differences
    .slice(0, MAX_DIFFERENCES)
    .map(({ difference }) => difference(near, wanted))
    .join(' and ');
  return `the store has "${near.slice(0, MAX_SHOWN)}"${words === '' ? '' : ` ${words}`}`;
}

/** A name without what people do not see. @param kept remains */
function loose(name: string, kept?: (typeof ASPECTS)[number]): string {
  return ASPECTS.reduce((text, aspect) => (aspect === kept ? text : aspect.without(text)), name);
}

function differenceOfBlanks(known: string, wanted: string): string {
  const [begins, ends] = [known.trimStart() !== known, known.trimEnd() !== known];
  if (begins || ends) return `with a blank at the ${begins ? 'beginning' : 'end'}`;
  return wanted.trim() === wanted ? 'with other blanks' : 'without a blank at its ends';
}
