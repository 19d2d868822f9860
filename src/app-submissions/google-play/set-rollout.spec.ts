import { JsonValue } from '../../common/json-value.js';
import { playJsonOf, toPlayRelease, type WholeRelease } from './api/google-play-responses.js';
import { isAhead, rolloutOf } from './set-rollout.js';

const whole = (document: Record<string, unknown>): WholeRelease => ({
  ...toPlayRelease(playJsonOf(new JsonValue(document))),
  document,
});

const NOTES = [{ language: 'en-US', text: 'Faster.\nSafer.' }];
const release = (status: string, userFraction?: number, values: object = {}): WholeRelease =>
  whole({
    name: '1.4',
    versionCodes: ['42'],
    status,
    ...(userFraction !== undefined && { userFraction }),
    releaseNotes: NOTES,
    inAppUpdatePriority: 3,
    ...values,
  });
const older = whole({ name: '1.3', versionCodes: ['41'], status: 'completed' });
const draft = whole({ name: '1.5', versionCodes: ['43'], status: 'draft' });
const wanted = (userFraction: number) => ({ versionCode: '42', track: 'production', userFraction });

/** What is sent of the release that changes, beside what stays. */
function sent(share: number, present: WholeRelease): unknown {
  const rollout = rolloutOf(wanted(share), [draft, present, older]);
  return rollout.kind === 'update' ? rollout.releases : rollout.kind;
}

const changed = (status: string, userFraction?: number): object => ({
  name: '1.4',
  versionCodes: ['42'],
  releaseNotes: NOTES,
  inAppUpdatePriority: 3,
  status,
  ...(userFraction !== undefined && { userFraction }),
});

it.each([
  ['grows', 0.5, release('inProgress', 0.2), changed('inProgress', 0.5)],
  ['halts with the share that it had', 0, release('inProgress', 0.2), changed('halted', 0.2)],
  ['halts without a share that is not known', 0, release('inProgress'), changed('halted')],
  ['resumes', 0.2, release('halted', 0.2), changed('inProgress', 0.2)],
  ['resumes with more', 0.6, release('halted', 0.2), changed('inProgress', 0.6)],
])('a rollout %s, and nothing else changes', (_, share, present, expected) => {
  expect(sent(share, present)).toEqual([expected, draft.document, older.document]);
});

it.each(['inProgress', 'halted'])(
  'a rollout that is %s completes in place of the release for all users',
  (status) => {
    expect(sent(1, release(status, 0.2))).toEqual([changed('completed'), draft.document]);
  },
);

it.each([
  [0.2, release('inProgress', 0.2)],
  [0.2, release('inProgress', 0.2000001)],
  [0, release('halted', 0.2)],
  [1, release('completed')],
])('nothing is sent for the share %d that is there already', (share, present) => {
  expect(sent(share, present)).toBe('is-there');
});

it.each([
  [0.1, release('inProgress', 0.2), 'The rollout is at 20 % in Google Play'],
  [0.1, release('halted', 0.125), 'The rollout was halted at 12.5 % in Google Play'],
  [0.5, release('completed'), 'All users get the release already'],
])('the share %d is too low for what the store has', (share, present, sentence) => {
  expect(sent(share, present)).toBe('is-ahead');
  expect(isAhead(wanted(share), present).message).toContain(sentence);
});

it.each([
  [0, [release('completed')], 'All users get the release already'],
  [0.5, [release('draft')], 'Finish it in the Play Console'],
  [0.5, [release('paused', 0.2)], 'in a status that Slipway does not know'],
  [0.5, [older], 'has no release with the version code 42 any more'],
  [0.5, [], 'has no release with the version code 42 any more'],
  [
    0.5,
    [whole({ versionCodes: ['43'], status: 'inProgress', userFraction: 0.1 }), older],
    'has the version code 43 in place of 42',
  ],
])('refuses the share %d with what to do', (share, releases, sentence) => {
  expect(() => rolloutOf(wanted(share), releases)).toThrow(sentence);
});

it('changes the release that users get, not a draft of the same version', () => {
  const rollout = rolloutOf(wanted(0.5), [release('draft'), release('inProgress', 0.2)]);
  expect(rollout).toMatchObject({ kind: 'update', releases: [changed('inProgress', 0.5), changed('draft')] });
});
