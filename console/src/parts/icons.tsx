import type { ReactNode } from 'react';

/** The shapes of the console, 12 units wide. */
const shapes = {
  up: 'M6 10V2M2.5 5.5 6 2l3.5 3.5',
  check: 'M2 6.5 5 9.5 10.5 3',
  cross: 'm3 3 6 6M9 3 3 9',
  dash: 'M2.5 6h7',
  clock: 'M6 2a4 4 0 1 0 0 8 4 4 0 0 0 0-8M6 3.8V6h1.8',
  pause: 'M4.2 2.5v7M7.8 2.5v7',
  eye: 'M1 6s2-3.5 5-3.5S11 6 11 6 9 9.5 6 9.5 1 6 1 6M6 4.8a1.2 1.2 0 1 0 0 2.4 1.2 1.2 0 0 0 0-2.4',
  alert: 'M6 1.5 11 10.5H1zM6 5v2.5M6 9v.2',
  snow: 'M6 1v10M1.7 3.5l8.6 5M10.3 3.5l-8.6 5',
  menu: 'M1.5 3h9M1.5 6h9M1.5 9h9',
  down: 'm3 4.5 3 3 3-3',
  downward: 'M6 2v8M2.5 6.5 6 10l3.5-3.5',
  copy: 'M4 4h6v6H4zM2 8V2h6',
  more: 'M2 6h.01M6 6h.01M10 6h.01',
} as const;

export type IconName = keyof typeof shapes;

/** A shape beside a word; screen readers skip it. @param size in pixels */
export function Icon({ name, size = 12 }: { name: IconName; size?: number }): ReactNode {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 12 12"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2 : 1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={shapes[name]} />
    </svg>
  );
}

/** The mark of Slipway: a hull on its slope. */
export function Mark(): ReactNode {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" fill="none" aria-hidden="true">
      <rect width="20" height="20" rx="5" fill="var(--accent)" />
      <path
        d="M4 13.5 16 7M4 13.5h7M16 7v6.5"
        stroke="var(--on-accent)"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
