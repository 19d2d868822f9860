import { chooseXcode } from './choose-xcode.js';

const xcodes = [
  { version: '27.0', developerDir: '/27', isBeta: true },
  { version: '26.2', developerDir: '/26.2', isBeta: false },
  { version: '26.0.1', developerDir: '/26.0.1', isBeta: false },
  { version: '2.6', developerDir: '/2.6', isBeta: false },
];

it.each([
  [undefined, '26.2'],
  [' ', '26.2'],
  ['26', '26.2'],
  ['26.0', '26.0.1'],
  ['26.0.1', '26.0.1'],
  ['27', '27.0'],
])('takes for XCODE_VERSION %j the version %s', (wanted, version) => {
  expect(chooseXcode(xcodes, wanted).version).toBe(version);
});

it.each(['2', '26.', '26.1', '26.2; id', '--version', '../26.2'])('has no Xcode %j', (wanted) => {
  const choose = () => chooseXcode(xcodes.slice(0, 3), wanted);
  expect(choose).toThrow(
    `This runner does not have the Xcode that XCODE_VERSION names (${JSON.stringify(wanted)}): it has 27.0 beta, 26.2, 26.0.1.`,
  );
});

it('says that there is none, and takes a beta where nothing else is there', () => {
  expect(() => chooseXcode([], '26')).toThrow('This runner has no Xcode');
  expect(chooseXcode(xcodes.slice(0, 1), undefined).version).toBe('27.0');
});
