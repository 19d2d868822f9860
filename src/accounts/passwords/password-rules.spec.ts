import { newPasswordProblem, passwordProblem } from './password-rules.js';

const EMAIL = 'ada.lovelace@example.com';
const GUESSABLE = 'The password is too easy to guess. Use a few unusual words that do not belong together.';

it.each([
  'correct horse battery staple',
  'kitchen lamp river moss',
  'xK9#mQ2vLp7w',
  'ada likes purple tractors',
  'größere Äpfel für Übermorgen',
])('accepts %j', async (password) => {
  expect(await passwordProblem(password, EMAIL)).toBeNull();
});

it.each([
  'passwordpassword',
  'PasswordPassword',
  'P@ssw0rd1234',
  '123456789012',
  'aaaaaaaaaaaa',
  'abcdefghijkl',
  'qwertyuiop12',
  'slipwayslipway',
  EMAIL,
  'lovelacelovelace',
])('refuses %j, which is easy to guess', async (password) => {
  expect(await passwordProblem(password, EMAIL)).toBe(GUESSABLE);
});

it('judges the first 64 characters', async () => {
  expect(await passwordProblem(`${'a'.repeat(64)}correct horse battery staple`, EMAIL)).toBe(GUESSABLE);
});

it('asks for 12 to 256 characters that can be stored', async () => {
  expect(await passwordProblem('x7#kQ', EMAIL)).toBe('The password must have at least 12 characters.');
  expect(await passwordProblem('x7#kQ'.repeat(52), EMAIL)).toBe(
    'The password must have at most 256 characters.',
  );
  expect(await passwordProblem('kitchen lamp \ud800 moss', EMAIL)).toMatch(/cannot be used/);
});

it('compares a password that was typed twice', async () => {
  const password = 'kitchen lamp river moss';
  expect(await newPasswordProblem({ password, repeated: password }, EMAIL)).toBeNull();
  expect(await newPasswordProblem({ password, repeated: `${password}!` }, EMAIL)).toBe(
    'The two new passwords are not the same.',
  );
});
