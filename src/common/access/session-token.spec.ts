import { generateApiToken, isApiToken } from './api-token.js';
import { generateSessionToken, isSessionToken } from './session-token.js';

it('tells the kinds of sessions apart, and both from API tokens', () => {
  const device = generateSessionToken('device');
  const browser = generateSessionToken('browser');
  expect(device).toMatch(/^ses_[0-9a-f]{48}$/);
  expect([isSessionToken('device', device), isSessionToken('browser', device)]).toEqual([true, false]);
  expect([isSessionToken('device', browser), isSessionToken('browser', browser)]).toEqual([false, true]);
  expect([isApiToken(device), isSessionToken('device', generateApiToken())]).toEqual([false, false]);
});

it('refuses a token with any changed, missing or added character', () => {
  const token = generateSessionToken('device');
  for (let index = 4; index < token.length; index++) {
    const other = token[index] === '0' ? '1' : '0';
    expect(isSessionToken('device', token.slice(0, index) + other + token.slice(index + 1))).toBe(false);
  }
  expect(isSessionToken('device', token.slice(0, -1))).toBe(false);
  expect(isSessionToken('device', `${token}0`)).toBe(false);
  expect(isSessionToken('device', `${token}\n`)).toBe(false);
});
