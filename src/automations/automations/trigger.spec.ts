import {
  canAllow,
  findForeignPattern,
  listedPrefixes,
  type Trigger,
  triggerMatcher,
  wholeRef,
} from './trigger.js';

const of = (triggerType: Trigger['triggerType'], ...triggerPatterns: string[]): Trigger => ({
  triggerType,
  triggerPatterns,
});

it.each([
  [of('branch'), 'refs/heads/feature/a', true],
  [of('branch'), 'refs/tags/v1', false],
  [of('branch'), 'refs/pull/1/head', false],
  [of('branch', 'main'), 'refs/heads/main', true],
  [of('branch', 'main'), 'refs/tags/main', false],
  [of('branch', 'main'), 'refs/heads/refs/heads/main', false],
  [of('branch', 'release/*'), 'refs/heads/release/1/2', false],
  [of('branch', 'a', 'release/**'), 'refs/heads/release/1/2', true],
  [of('branch', '*'), `refs/heads/${'分'.repeat(80)}`, true],
  [of('branch', '*'), 'refs/heads/-rf', true],
  [of('tag'), 'refs/tags/v1', true],
  [of('tag', 'v*'), 'refs/tags/v1', true],
  [of('tag', 'v*'), 'refs/heads/v1', false],
  [of('tag', 'refs/tags/v*'), 'refs/tags/v1', true],
  [of('manual'), 'refs/tags/v1', true],
  [of('manual', 'v1'), 'refs/tags/v1', false],
])('%j matches %s: %s', (trigger, ref, matches) => expect(triggerMatcher(trigger)(ref)).toBe(matches));

it('reads bare names as those of the kind', () => {
  expect(wholeRef(of('branch'), 'main')).toBe('refs/heads/main');
  expect(wholeRef(of('tag'), 'v1')).toBe('refs/tags/v1');
  expect(wholeRef(of('manual'), 'main')).toBe('refs/heads/main');
  expect(wholeRef(of('branch'), 'refs/tags/v1')).toBe('refs/tags/v1');
});

it('finds patterns that no ref of the kind matches', () => {
  expect(findForeignPattern(of('branch', 'main', 'refs/tags/v*'))).toBe('refs/tags/v*');
  expect(findForeignPattern(of('tag', 'refs/heads/main'))).toBe('refs/heads/main');
  expect(findForeignPattern(of('tag', 'v*', 'refs/tags/x', 'refs/**'))).toBeUndefined();
  expect(findForeignPattern(of('branch', 'refs/pull/1/head'))).toBe('refs/pull/1/head');
});

it('lists no more refs than may match', () => {
  expect(listedPrefixes([of('branch', 'main', 'release/*', 'release/1')])).toEqual([
    'refs/heads/main',
    'refs/heads/release/',
  ]);
  expect(listedPrefixes([of('branch', 'main'), of('branch'), of('tag', 'v*')])).toEqual([
    'refs/heads/',
    'refs/tags/v',
  ]);
});

it.each([
  [['main'], of('branch', 'main'), true],
  [['main'], of('branch', 'develop'), false],
  [['main'], of('branch'), true],
  [['main'], of('tag'), false],
  [['refs/tags/v*'], of('tag', 'v1.*'), true],
  [['refs/tags/v*'], of('tag', 'x*'), false],
  [['release/*'], of('branch', 'feature/*'), false],
  [['main'], of('manual'), true],
])('%j can allow a ref of %j: %s', (allowedRefs, trigger, can) =>
  expect(canAllow(allowedRefs, trigger)).toBe(can),
);
