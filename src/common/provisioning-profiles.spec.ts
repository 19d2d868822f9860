import { coversBundleId } from './provisioning-profiles.js';

it.each([
  ['com.example.app', 'com.example.app', true],
  ['com.example.app', 'com.example.app.widget', false],
  ['com.example.app', 'com.example.App', false],
  ['com.example.*', 'com.example.app', true],
  ['com.example.*', 'com.example.app.widget', true],
  ['com.example.*', 'com.example.', false],
  ['com.example.*', 'com.exampleapp', false],
  ['*', 'com.example.app', true],
  ['*', '', false],
])('the profile for %s and the app %s: %s', (profile, bundleId, expected) => {
  expect(coversBundleId(profile, bundleId)).toBe(expected);
});
