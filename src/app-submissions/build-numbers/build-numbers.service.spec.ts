import { highestNumberOf, toBuildSentence } from './build-numbers.service.js';

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

describe('highestNumberOf', () => {
  it.each<[readonly string[], number | null]>([
    [[], null],
    [['9', '10', '2'], 10],
    [['007'], 7],
    [['1.0.3', '2', '12.99'], 12],
    [['202611261305'], 202_611_261_305],
    [['0'], 0],
    [['', 'x', '1a', '-5', '1.', '.5', '1e9', ' 3 '], 3],
    [['1'.repeat(19)], null],
  ])('of %j is %j', (texts, highest) => {
    expect(highestNumberOf(texts)).toBe(highest);
  });
});
