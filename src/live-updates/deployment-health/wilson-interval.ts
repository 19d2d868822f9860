/**
 * Quantiles of the standard normal distribution for one-sided statements: a standard normal variable is below `z` with
 * this probability.
 */
const quantiles: Readonly<Record<number, number>> = {
  0.8: 0.8416212335729143,
  0.9: 1.2815515655446004,
  0.95: 1.6448536269514722,
  0.99: 2.3263478740408408,
  0.999: 3.090232306167813,
};

/** Levels of confidence that can be asked for. */
export const confidences: readonly number[] = [0.8, 0.9, 0.95, 0.99, 0.999];

/** Bounds of a share, 0 to 1. */
export interface Interval {
  readonly lower: number;
  readonly upper: number;
}

/**
 * Bounds of the probability behind `hits` out of `trials`, by the score interval of Wilson: unlike the textbook interval it
 * holds for few trials and for shares near 0, which is where rollouts are.
 *
 * Each bound is one-sided: the probability is above `lower` with the confidence, and below `upper` with the confidence.
 *
 * E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the American
 * Statistical Association 22 (1927), 209–212. Compared with others by L. D. Brown, T. T. Cai and A. DasGupta, "Interval
 * estimation for a binomial proportion", Statistical Science 16 (2001), 101–133.
 *
 * @param hits 0 to `trials`
 * @param confidence one of `confidences`
 * @returns 0 and 1 without trials: nothing is known
 */
export function wilsonInterval(hits: number, trials: number, confidence: number): Interval {
  const z = quantiles[confidence];
  if (z === undefined) throw new RangeError(`There is no quantile for ${confidence}.`);
  if (!(hits >= 0 && hits <= trials)) throw new RangeError(`${hits} of ${trials} is no share.`);
  if (trials === 0) return { lower: 0, upper: 1 };
  const share = hits / trials;
  const zz = z ** 2;
  const denominator = 1 + zz / trials;
  const center = (share + zz / (2 * trials)) / denominator;
  const width = (z / denominator) * Math.sqrt((share * (1 - share)) / trials + zz / (4 * trials ** 2));
  // At the ends the formula gives exactly 0 and 1, but for rounding.
  return {
    lower: hits === 0 ? 0 : Math.max(0, center - width),
    upper: hits === trials ? 1 : Math.min(1, center + width),
  };
}
