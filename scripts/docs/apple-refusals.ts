import {
  ACCESS_ROWS,
  MISSING_ROWS,
} from '../../src/app-submissions/app-store-connect/refusals/access-rows.ts';
import {
  REVIEW_ROWS,
  REVIEW_STATE_ROWS,
  ROLLOUT_ROWS,
  VERSION_ROWS,
} from '../../src/app-submissions/app-store-connect/refusals/app-store-rows.ts';
import {
  APPLE_CALLS,
  type AppleRefusalRow,
} from '../../src/app-submissions/app-store-connect/refusals/apple-refusal-row.ts';
import { BUILD_ROWS, UPLOAD_ROWS } from '../../src/app-submissions/app-store-connect/refusals/build-rows.ts';
import { REVIEW_NEEDS } from '../../src/app-submissions/app-store-connect/refusals/review-needs.ts';
import {
  BETA_REVIEW_ROWS,
  TEST_FLIGHT_ROWS,
} from '../../src/app-submissions/app-store-connect/refusals/test-flight-rows.ts';
import { repeatsOf, sentenceOf } from './refusal-sentence.ts';
import { replaceSection } from './sections.ts';
import { table } from './table.ts';

const THEMES: readonly (readonly [title: string, rows: readonly AppleRefusalRow[]])[] = [
  ['Access to App Store Connect', [...ACCESS_ROWS, ...MISSING_ROWS]],
  ['Uploads to App Store Connect', UPLOAD_ROWS],
  ['What Apple finds in the ipa', BUILD_ROWS],
  ['Builds in TestFlight', TEST_FLIGHT_ROWS],
  ['The beta review of Apple', BETA_REVIEW_ROWS],
  ['Versions in the App Store', VERSION_ROWS],
  ['Releases and phased releases', ROLLOUT_ROWS],
  ['The review of the App Store', [...REVIEW_ROWS, ...REVIEW_STATE_ROWS]],
];

/** The page docs/app-submissions.md with a current list of Apple's refusals between its markers. */
export function renderAppleRefusals(page: string): string {
  const tables = THEMES.map(([title, rows]) =>
    [
      `### ${title}\n`,
      table(
        ['App Store Connect says', 'Slipway says', 'Slipway repeats it'],
        rows.map((row) => [saidBy(row), sentenceOf(row.sentence), repeatsOf(row)]),
      ),
    ].join('\n'),
  );
  return replaceSection(page, 'apple-refusals', [...tables, needs()].join('\n'));
}

/** What versions lack for the review, which Slipway says in one sentence. */
function needs(): string {
  return [
    '### What a version lacks for the review\n',
    'Slipway puts all of these that Apple names into one sentence, as "The version is not complete. In App Store Connect, …".\n',
    table(
      ['App Store Connect says', 'Slipway says'],
      REVIEW_NEEDS.map(({ codes, about, act }) => [
        [
          codes.map((code) => `\`${code}\``).join(' or '),
          ...(about === undefined ? [] : [`about \`${about}\``]),
        ].join(', '),
        `${act('')}`,
      ]),
    ),
  ].join('\n');
}

function saidBy({ calls = [], status, codes = [], fragments = [], pointer }: AppleRefusalRow): string {
  const parts = [
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(codes.length === 0 ? [] : [codes.map((code) => `\`${code}\``).join(' or ')]),
    ...(fragments.length === 0 ? [] : [fragments.map((fragment) => `"${fragment}"`).join(' or ')]),
    ...(pointer === undefined ? [] : [`about \`${pointer}\``]),
  ];
  const where = calls.length === 0 ? [] : [`to ${calls.map((call) => APPLE_CALLS[call]).join(', ')}`];
  return [...parts, ...where].join(', ');
}
