import { useLocation, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

/** Some lines, both ends included. */
export type LineRange = readonly [first: number, last: number];

/** Lines that an address names, such as `#L120` and `#L120-L130`. */
export function linesOf(hash: string): LineRange | null {
  const [, from, to] = /^#?L(\d{1,9})(?:-L?(\d{1,9}))?$/i.exec(hash) ?? [];
  if (from === undefined) return null;
  const [first, last] = [Number(from), Number(to ?? from)];
  return first === 0 || last === 0 ? null : [Math.min(first, last), Math.max(first, last)];
}

/** What an address of lines ends with, such as `L120` and `L120-L130`. */
export const hashOf = ([first, last]: LineRange): string =>
  first === last ? `L${first}` : `L${first}-L${last}`;

/** The lines of the present address, and how another address gets others. */
export function useChosenLines(): { chosen: LineRange | null; setChosen: (range: LineRange) => void } {
  const navigate = useNavigate();
  const { hash } = useLocation();
  const chosen = useMemo(() => linesOf(hash), [hash]);
  const setChosen = useCallback(
    (range: LineRange): void =>
      void navigate({
        to: '.',
        search: true,
        hash: hashOf(range),
        replace: true,
        resetScroll: false,
        hashScrollIntoView: false,
      }),
    [navigate],
  );
  return { chosen, setChosen };
}
