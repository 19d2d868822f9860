import { gradleText, valuesOf, withoutComments } from './gradle-text.js';

describe('withoutComments', () => {
  it('keeps the place of everything else, and comments in texts', () => {
    const text = 'a // b\n/* c\n d */ e "// f" \'/* g\' """h // """ i';
    const code = withoutComments(text);
    expect(code).toHaveLength(text.length);
    expect(code).toBe('a     \n    \n      e "// f" \'/* g\' """h // """ i');
  });

  it.each(['/*', '"', "'", '//', '/', "'''"])('takes no longer for many times %j', (part) => {
    expect(withoutComments(part.repeat(100_000))).toHaveLength(part.length * 100_000);
  });
});

describe('valuesOf', () => {
  it.each([
    ['applicationId "com.acme.shop"', ['com.acme.shop']],
    ["applicationId = 'com.acme.shop'", ['com.acme.shop']],
    ['applicationId("com.acme.shop")', ['com.acme.shop']],
    ['defaultConfig.applicationId = "a.b"', ['a.b']],
    ['applicationIdSuffix ".beta"', []],
    ['myapplicationId "a.b"', []],
    ['applicationId rootProject.ext.id', []],
    ['applicationId "com.acme.${flavor}"', []],
    ['if (applicationId == "a.b") {}', []],
    ['applicationId "a.b"\nfree { applicationId "a.c" }', ['a.b', 'a.c']],
  ])('finds in %j', (code, expected) => {
    expect(valuesOf(code, 'applicationId').map(({ text }) => text)).toEqual(expected);
  });

  it.each([
    ['versionCode 12', ['12']],
    ['versionCode = 12', ['12']],
    ['versionCode(12)', ['12']],
    ['versionCode 1.5', []],
    ['versionCode code', []],
  ])('finds numbers in %j', (code, expected) => {
    expect(valuesOf(code, 'versionCode').map(({ text }) => text)).toEqual(expected);
  });

  it('says where the value is, with its quotes', () => {
    const code = 'x; versionName = "1.2" }';
    const [value] = valuesOf(code, 'versionName');
    expect(code.slice(value!.start, value!.end)).toBe('"1.2"');
  });
});

it.each([
  [`a'b"$c\\`, 'build.gradle', `'a\\'b"$c\\\\'`],
  [`a'b"$c\\`, 'build.gradle.kts', `"a'b\\"\\$c\\\\"`],
])('writes %j for %s', (text, file, expected) => expect(gradleText(text, file)).toBe(expected));
