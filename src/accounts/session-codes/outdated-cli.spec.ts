import { isOutdatedCli } from './outdated-cli.js';

it.each(['1.8.0', '3.11.0', '4.0.0', '4.8.0', '4.14.0', '4.14.9', '4.9.0-beta.1'])(
  'is outdated: %s',
  (version) => {
    expect(isOutdatedCli(`Capawesome CLI v${version}`)).toBe(true);
  },
);

it.each([
  'Capawesome CLI v4.15.0',
  'Capawesome CLI v4.17.2',
  'Capawesome CLI v4.100.0',
  'Capawesome CLI v5.0.0',
  'Capawesome CLI v10.1.0',
  'Capawesome CLI',
  'Another Capawesome CLI v3.11.0',
  'curl/8.5.0',
  '',
  null,
])('is not outdated: %s', (userAgent) => {
  expect(isOutdatedCli(userAgent)).toBe(false);
});
