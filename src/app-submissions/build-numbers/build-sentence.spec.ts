import { toBuildSentence } from './build-numbers.service.js';

describe('toBuildSentence', () => {
  it.each([
    [
      'Google knows no such account. Upload a key, then submit again.',
      'Google knows no such account. Upload a key, then start the build again.',
    ],
    ['Submit again tomorrow.', 'Start the build again tomorrow.'],
    ['Wait, then submit this build again: nothing is uploaded twice.', 'Wait, then start the build again.'],
    ['The submission of 42 runs.', 'The submission of 42 runs.'],
  ])('turns "%s" into "%s"', (sentence, expected) => {
    expect(toBuildSentence(sentence)).toBe(expected);
  });
});
