import { isPackageName } from './package-name.js';

describe('package names', () => {
  it.each([
    'com.example.app',
    'com.example.my_app',
    'com.example.my-app',
    'a.b',
    '1com.example',
    'com.Example.App2',
  ])('can be %s', (text) => expect(isPackageName(text)).toBe(true));

  it.each([
    '',
    'app',
    '.com.example',
    'com..example',
    'com.example.',
    'com.example/app',
    'com.example app',
    'com.1example.my_app',
    'com.my-app.my_app',
    'com.exämple',
    '-com.example',
    '--com.example',
    'com.example\n',
    `com.${'a'.repeat(252)}`,
  ])('cannot be %j', (text) => expect(isPackageName(text)).toBe(false));
});
