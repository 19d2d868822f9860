import type { PlayRelease, ReleaseSummary } from './api/google-play-responses.js';
import {
  codeOf,
  findAhead,
  highestCode,
  isNotSent,
  isReleased,
  isShown,
  releaseOf,
  toPlayNotes,
} from './release-of.js';

const wanted = (values: object = {}) => ({
  versionCode: '42',
  releaseStatus: 'completed' as const,
  userFraction: 1,
  inAppUpdatePriority: null,
  ...values,
});
const draft = wanted({ releaseStatus: 'draft' });
const staged = wanted({ userFraction: 0.2 });
const none = { notes: [], missing: [] };
const release = (values: Partial<PlayRelease> = {}): PlayRelease => ({
  name: null,
  versionCodes: [42],
  status: 'completed',
  userFraction: null,
  ...values,
});
const shown = (state: string | null, ...versionCodes: number[]): ReleaseSummary => ({
  name: null,
  state,
  versionCodes,
});

it('is completed, staged with its share, or a draft without one', () => {
  expect(releaseOf(wanted(), none)).toEqual({ versionCodes: [42], status: 'completed' });
  expect(releaseOf(staged, none)).toEqual({ versionCodes: [42], status: 'inProgress', userFraction: 0.2 });
  expect(releaseOf({ ...draft, userFraction: 0.2 }, none)).toEqual({ versionCodes: [42], status: 'draft' });
});

it('has notes and a priority only if there are any', () => {
  const notes = [{ language: 'en-US', text: 'Faster.' }];
  expect(releaseOf(wanted({ inAppUpdatePriority: 0 }), { notes, missing: [] })).toEqual({
    versionCodes: [42],
    status: 'completed',
    releaseNotes: notes,
    inAppUpdatePriority: 0,
  });
});

it.each(['0', '-1', '1.5', '', 'latest', '99999999999999999999'])(
  'takes no version code such as %j',
  (versionCode) => {
    expect(() => codeOf({ versionCode })).toThrow(/Set versionCode to a whole number/);
  },
);

it('is there already only as it is wanted', () => {
  expect(isReleased(wanted(), [release()])).toBe(true);
  expect(isReleased(wanted(), [release({ versionCodes: [41] })])).toBe(false);
  expect(isReleased(wanted(), [release({ status: 'inProgress', userFraction: 0.2 })])).toBe(false);
  expect(isReleased(staged, [release({ status: 'inProgress', userFraction: 0.2 })])).toBe(true);
  expect(isReleased(staged, [release({ status: 'inProgress', userFraction: 0.5 })])).toBe(false);
  expect(isReleased(draft, [release()])).toBe(false);
  expect(isReleased(draft, [release({ status: 'draft' })])).toBe(true);
});

it('is behind what users have with a lower share, or as a draft', () => {
  const half = release({ status: 'inProgress', userFraction: 0.5 });
  const halted = release({ status: 'halted', userFraction: 0.5 });
  for (const live of [half, halted]) {
    expect(findAhead(staged, [live])).toBe(live);
    expect(findAhead(draft, [live])).toBe(live);
    expect(findAhead(wanted(), [live])).toBeNull();
    expect(findAhead({ ...staged, userFraction: 0.5 }, [live])).toBeNull();
    expect(findAhead(staged, [{ ...live, versionCodes: [41] }])).toBeNull();
    expect(findAhead(staged, [{ ...live, userFraction: null }])).toBeNull();
  }
  expect(findAhead(draft, [release()])).not.toBeNull();
  expect(findAhead(draft, [release({ status: 'draft' })])).toBeNull();
});

it('shows without an edit, drafts apart from others', () => {
  expect(isShown(wanted(), [shown('IN_REVIEW', 41, 42)])).toBe(true);
  expect(isShown(wanted(), [shown('DRAFT', 42)])).toBe(false);
  expect(isShown(draft, [shown('DRAFT', 42)])).toBe(true);
  expect(isShown(wanted(), [shown('PUBLISHED', 41)])).toBe(false);
});

it('knows what a person has not sent for review', () => {
  expect(isNotSent(wanted(), [shown('NOT_SENT_FOR_REVIEW', 42)])).toBe(true);
  expect(isNotSent(wanted(), [shown('NOT_SENT_FOR_REVIEW', 41), shown('IN_REVIEW', 42)])).toBe(false);
});

it('finds the highest version code that users have or get', () => {
  const releases = [
    shown('PUBLISHED', 7, 9),
    shown('DRAFT', 50),
    shown('NOT_APPROVED', 40),
    shown('IN_REVIEW', 12),
  ];
  expect(highestCode(releases)).toBe(12);
  expect(highestCode([shown('DRAFT', 50)])).toBeNull();
});

const languages = ['en-US', 'de-DE', 'pt-BR'];
const notesOf = (given: Record<string, string> | null, defaultLanguage: string | null = 'en-US') =>
  toPlayNotes(given, defaultLanguage, languages);

it('gives the default notes to the default language, and names languages without notes', () => {
  expect(notesOf({ default: 'Faster.', 'de-DE': 'Schneller.' })).toEqual({
    notes: [
      { language: 'de-DE', text: 'Schneller.' },
      { language: 'en-US', text: 'Faster.' },
    ],
    missing: ['pt-BR'],
  });
});

it('prefers notes of the default language itself', () => {
  expect(notesOf({ default: 'A', 'en-US': 'B' }).notes).toEqual([{ language: 'en-US', text: 'B' }]);
});

it('writes languages as the listing does', () => {
  expect(notesOf({ PT_br: 'Mais rápido.' }).notes).toEqual([{ language: 'pt-BR', text: 'Mais rápido.' }]);
});

it.each<Record<string, string> | null>([null, {}, { default: '', 'de-DE': ' \n' }])(
  'has no notes without texts: %j',
  (given) => {
    expect(notesOf(given, null)).toEqual({ notes: [], missing: languages });
  },
);

it('sends texts composed, with line feeds, and without what no one sees', () => {
  const text = '\uFEFFНовый и\u0306\u200B,\r\nk\u0306 👩‍💻\u00A0!\r\n';
  expect(notesOf({ default: text }).notes).toEqual([
    { language: 'en-US', text: 'Новый й,\nk\u0306 👩‍💻\u00A0!' },
  ]);
  expect(notesOf({ default: 'e\u0301'.repeat(500) }).notes).toHaveLength(1);
});

it('compares languages with the blanks that the listing has', () => {
  expect(() => toPlayNotes({ 'de-DE': 'A' }, 'en-US', ['en-US', 'de-DE '])).toThrow(
    'does not have (the store has "de-DE " with a blank at the end)',
  );
});

it('counts code points', () => {
  expect(notesOf({ default: '😀'.repeat(500) }).notes).toHaveLength(1);
  expect(() => notesOf({ default: '😀'.repeat(501) })).toThrow(/in en-US are longer than 500/);
});

it.each([
  [
    { 'it-IT': 'Più veloce.' },
    'en-US',
    /in it-IT, which the store listing does not have \(it has en-US, de-DE, pt-BR\)/,
  ],
  [{ default: 'Faster.' }, 'it-IT', /in it-IT, which/],
  [{ default: 'Faster.' }, null, /names no default language/],
  [{ 'de-DE': 'A', de_de: 'B' }, 'en-US', /two texts for de-DE/],
])('refuses %j with the default language %s', (given, defaultLanguage, message) => {
  expect(() => notesOf(given as Record<string, string>, defaultLanguage)).toThrow(message);
});
