import { generateApiToken, isApiToken } from '../../common/access/api-token.js';
import { generateRunnerToken, isRunnerToken } from './runner-token.js';

it('is recognized, and distinguished from API tokens', () => {
  const token = generateRunnerToken();
  expect(token).toMatch(/^slr_[0-9a-f]{48}$/);
  expect([isRunnerToken(token), isApiToken(token)]).toEqual([true, false]);
  expect(isRunnerToken(generateApiToken())).toBe(false);
});

it('is refused with any changed, missing or added character', () => {
  const token = generateRunnerToken();
  for (let index = 4; index < token.length; index++) {
    const other = token[index] === '0' ? '1' : '0';
    expect(isRunnerToken(token.slice(0, index) + other + token.slice(index + 1))).toBe(false);
  }
  expect(isRunnerToken(token.slice(0, -1))).toBe(false);
  expect(isRunnerToken(`${token}0`)).toBe(false);
  expect(isRunnerToken(`${token}\n`)).toBe(false);
});
