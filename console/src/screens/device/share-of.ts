import type { Remedy } from '../../api/types';

/** The next whole percent, 0 to 1: what a remedy requires has four digits. */
export const shareOf = (required: Remedy['required']): number =>
  Math.min(1, Math.ceil(Math.round(Number(required) * 10_000) / 100) / 100);
