import type { AppVersion } from '../api/app-store-resources.js';
import { chooseVersion, isFirstVersion } from './choose-version.js';

const version = (versionString: string, state: string, buildId: string | null = null): AppVersion => ({
  id: `v-${versionString}`,
  versionString,
  state,
  releaseType: 'MANUAL',
  earliestReleaseDate: null,
  buildId,
  phasedRelease: null,
});
const live = version('1.1', 'READY_FOR_DISTRIBUTION', 'b-0');
const choose = (...versions: AppVersion[]) => chooseVersion(versions, { version: '1.2', buildId: 'b-1' });

describe('the version of a build in the App Store', () => {
  it('is a new one when there is none that can be changed', () => {
    expect(choose()).toEqual({ kind: 'create' });
    expect(choose(live, version('1.0', 'REPLACED_WITH_NEW_VERSION'))).toEqual({ kind: 'create' });
  });

  it.each([
    'PREPARE_FOR_SUBMISSION',
    'READY_FOR_REVIEW',
    'DEVELOPER_REJECTED',
    'REJECTED',
    'METADATA_REJECTED',
    'INVALID_BINARY',
  ])('is the one in the state %s, whatever its string is', (state) => {
    const open = version('1.1.9', state);
    expect(choose(live, open)).toEqual({ kind: 'use', version: open });
  });

  it('is none while there are two that can be changed', () => {
    expect(choose(version('1.2', 'REJECTED'), version('1.3', 'PREPARE_FOR_SUBMISSION'))).toMatchObject({
      kind: 'several',
    });
  });

  it.each(['WAITING_FOR_REVIEW', 'IN_REVIEW', 'WAITING_FOR_EXPORT_COMPLIANCE'])(
    'waits for one in the state %s, unless that has the build',
    (state) => {
      expect(choose(live, version('1.2', state, 'b-0'))).toMatchObject({ kind: 'in-review' });
      expect(choose(live, version('1.2', state, 'b-1'))).toMatchObject({ kind: 'submitted' });
    },
  );

  it.each(['ACCEPTED', 'PENDING_APPLE_RELEASE', 'PENDING_DEVELOPER_RELEASE', 'PROCESSING_FOR_DISTRIBUTION'])(
    'is none while another is approved: %s',
    (state) => {
      expect(choose(live, version('1.2', state, 'b-1'))).toMatchObject({ kind: 'approved' });
      expect(choose(version('1.1.9', state), live)).toMatchObject({ kind: 'approved' });
    },
  );

  it('is none when users have it, or a higher one', () => {
    for (const used of ['1.2', '1.02.0', '1.10'])
      expect(choose(version(used, 'READY_FOR_DISTRIBUTION'), version('1.9', 'REJECTED'))).toMatchObject({
        kind: 'closed',
        closing: used,
      });
  });

  it('is the first one until a version was live', () => {
    expect(isFirstVersion([version('1.0', 'REJECTED')])).toBe(true);
    expect(isFirstVersion([live])).toBe(false);
    expect(isFirstVersion([version('1.0', 'REPLACED_WITH_NEW_VERSION')])).toBe(false);
  });
});
