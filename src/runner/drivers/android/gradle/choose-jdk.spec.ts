import { chooseJdk, javaOf } from './choose-jdk.js';

const jdks = [11, 17, 21].map((major) => ({ major, home: `/opt/jdk-${major}` }));

it.each([
  ['7.4.2', 17],
  ['8.0.0', 17],
  ['8.7.1', 17],
  ['8.7.2', 21],
  ['8.8', 21],
  ['8.13.0-alpha01', 21],
  ['9.0.0', 21],
])('builds plugin %s with Java %i', (version, major) => expect(javaOf(version)).toBe(major));

describe('chooseJdk', () => {
  it.each([
    ['11', '8.13.0', 11],
    ['17.0.9', null, 17],
    ['1.11', null, 11],
    [undefined, '8.5.0', 17],
    ['', '8.13.0', 21],
    [undefined, null, 21],
  ])('takes JAVA_VERSION=%s before the plugin %s', (wanted, plugin, major) => {
    expect(chooseJdk(jdks, wanted, plugin).major).toBe(major);
  });

  it('takes the older usual one where the newer is missing and the plugin is not known', () => {
    expect(chooseJdk(jdks.slice(0, 2), undefined, null).major).toBe(17);
  });

  it.each<[string | undefined, string | null, string]>([
    ['8', null, 'This runner does not have the JDK that JAVA_VERSION names ("8"): it has 11, 17.'],
    [
      'temurin',
      null,
      'This runner does not have the JDK that JAVA_VERSION names ("temurin"): it has 11, 17.',
    ],
    [
      undefined,
      '8.13.0',
      'This runner does not have JDK 21, which the Android Gradle plugin 8.13.0 of the project takes: it has 11, 17. JAVA_VERSION chooses another one.',
    ],
  ])('names what is missing for JAVA_VERSION=%s and plugin %s', (wanted, plugin, message) => {
    expect(() => chooseJdk(jdks.slice(0, 2), wanted, plugin)).toThrow(message);
  });

  it('says that there is none at all', () => {
    expect(() => chooseJdk([], undefined, null)).toThrow('This runner has no JDK: ');
  });
});
