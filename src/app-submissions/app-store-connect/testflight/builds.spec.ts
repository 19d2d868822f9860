import type { AppleBuild, BuildUpload } from '../api/apple-resources.js';
import { ownBuildOf } from './builds.js';

const upload = (id: string, state: string, buildId: string | null = null): BuildUpload => ({
  id,
  state,
  buildId,
  version: '1.0',
  buildNumber: '1',
  errors: [],
  warnings: [],
});
const build = (id: string): AppleBuild => ({
  id,
  version: '1.0',
  buildNumber: '1',
  processingState: 'VALID',
  expired: false,
  usesNonExemptEncryption: null,
});
const own = (buildUploadId: string, wasSent = true, isSameFile = true) => ({
  buildUploadId,
  fileId: 'f',
  wasSent,
  isSameFile,
});

it('finds nothing where there is nothing, or only uploads that failed or of others that never ended', () => {
  expect(ownBuildOf([], [], [])).toEqual({ kind: 'none', leftovers: [] });
  const uploads = [upload('a', 'FAILED'), upload('b', 'AWAITING_UPLOAD')];
  expect(ownBuildOf(uploads, [], [own('a')])).toEqual({ kind: 'none', leftovers: [] });
});

it.each(['PROCESSING', 'COMPLETE', 'SOMETHING_NEW'])('goes on with an own upload that is %s', (state) => {
  expect(ownBuildOf([upload('a', state, 'x')], [], [own('a')])).toEqual({
    kind: 'own',
    buildUploadId: 'a',
    buildId: 'x',
  });
});

it('goes on with an own build whose upload Apple no longer shows', () => {
  const known = { buildUploadId: 'a', buildId: 'x', wasSent: true, isSameFile: true };
  expect(ownBuildOf([], [build('x')], [known])).toEqual({ kind: 'own', buildUploadId: 'a', buildId: 'x' });
});

it('sees that another file has the number, also when its upload failed to name its build', () => {
  expect(ownBuildOf([], [build('x')], [own('a')]).kind).toBe('other');
  expect(ownBuildOf([upload('b', 'PROCESSING')], [], [own('a')]).kind).toBe('other');
  const failed = ownBuildOf([upload('a', 'FAILED')], [build('x')], [own('a')]);
  expect(failed.kind).toBe('other');
});

it('removes own uploads that have not ended, and looks at the file of those whose end was sent', () => {
  const uploads = [upload('a', 'AWAITING_UPLOAD')];
  expect(ownBuildOf(uploads, [], [own('a', false)])).toEqual({ kind: 'none', leftovers: ['a'] });
  expect(ownBuildOf(uploads, [], [own('a')])).toEqual({
    kind: 'maybe-own',
    buildUploadId: 'a',
    fileId: 'f',
  });
});

it('removes own uploads of other files only when their end was not sent, and goes on with none of them', () => {
  const uploads = [upload('a', 'AWAITING_UPLOAD')];
  expect(ownBuildOf(uploads, [], [own('a', false, false)])).toEqual({ kind: 'none', leftovers: ['a'] });
  expect(ownBuildOf(uploads, [], [own('a', true, false)])).toEqual({ kind: 'none', leftovers: [] });
  expect(ownBuildOf([upload('a', 'COMPLETE')], [], [own('a', true, false)]).kind).toBe('other');
});
