import {
  ACCESS_REFUSALS,
  GENERAL_REFUSALS,
} from '../../src/app-submissions/google-play/refusals/access-refusals.ts';
import {
  ARTIFACT_REFUSALS,
  POLICY_REFUSALS,
} from '../../src/app-submissions/google-play/refusals/artifact-refusals.ts';
import {
  EDIT_REFUSALS,
  RELEASE_REFUSALS,
} from '../../src/app-submissions/google-play/refusals/edit-refusals.ts';
import type { RefusalRow } from '../../src/app-submissions/calls/refusals/refusal-row.ts';
import { repeatsOf, sentenceOf } from './refusal-sentence.ts';
import { replaceSection } from './sections.ts';
import { table } from './table.ts';

const THEMES: readonly (readonly [title: string, rows: readonly RefusalRow[]])[] = [
  ['Access', [...ACCESS_REFUSALS, ...GENERAL_REFUSALS]],
  ['The edit', EDIT_REFUSALS],
  ['The file', ARTIFACT_REFUSALS],
  ['The release', RELEASE_REFUSALS],
  ['Declarations and policies', POLICY_REFUSALS],
];

/** The page docs/app-submissions.md with a current list of refusals between its markers. */
export function renderRefusals(page: string): string {
  const tables = THEMES.map(([title, rows]) =>
    [
      `### ${title}\n`,
      table(
        ['Google says', 'Slipway says', 'Slipway repeats it'],
        rows.map((row) => [saidBy(row), sentenceOf(row.sentence), repeatsOf(row)]),
      ),
    ].join('\n'),
  );
  return replaceSection(page, 'refusals', tables.join('\n'));
}

function saidBy({ status, fragments = [], also }: RefusalRow): string {
  const texts = fragments.map((fragment) => `"${fragment}"`).join(' or ');
  return [
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(texts === '' ? [] : [texts]),
    ...(also === undefined ? [] : [`and "${also}"`]),
  ].join(' ');
}
