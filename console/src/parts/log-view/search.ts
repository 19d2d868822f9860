import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { type LogRange, MOST_SEARCHED, readLog } from '../../api/logs';

/** Hits of one request. */
const HITS = 500;
/** The server searches when no key was pressed for so many milliseconds. */
const PAUSE = 250;
/** Between two searches in a log that grows, in milliseconds. */
const AGE = 3000;

/** Lines that have a text, in a log of which most lines are only on the server. */
export interface LogSearch {
  readonly text: string;
  setText(text: string): void;
  /** What was found last; empty: nothing is searched for. */
  readonly found: string;
  /** `null`: not known yet. */
  readonly total: number | null;
  /** From 0; `null`: none. */
  readonly index: number | null;
  readonly line: number | null;
  readonly error: Error | null;
  /** Goes to the next hit, or with -1 to the one before, past the end to the other end. */
  go(by: 1 | -1): Promise<void>;
}

/** The hits of one text by their places among all. */
class Hits {
  total = 0;
  private readonly lines = new Map<number, number>();

  constructor(
    private readonly jobId: string,
    readonly text: string,
  ) {}

  /** Reads the first hits, or the next ones of a log that has grown. */
  async readOn(signal: AbortSignal): Promise<void> {
    let known = 0;
    while (this.lines.has(known)) known += 1;
    await this.read({ after: this.lines.get(known - 1) ?? 0 }, (index) => known + index, signal);
  }

  /** The line of a hit. @param index from 0 */
  async lineOf(index: number, signal: AbortSignal): Promise<number | null> {
    const before = this.lines.get(index - 1);
    const after = this.lines.get(index + 1);
    if (!this.lines.has(index)) {
      if (index === 0 || before !== undefined)
        await this.read({ after: before ?? 0 }, (n) => index + n, signal);
      else if (after !== undefined)
        await this.read({ before: after }, (n, all) => index - (all - 1) + n, signal);
      // The last one: the server begins there.
      else await this.read({}, (n, all) => this.total - all + n, signal);
    }
    return this.lines.get(index) ?? null;
  }

  /** The place of the first known hit from a line on; 0 if there is none. */
  firstFrom(line: number): number {
    for (let index = 0; this.lines.has(index); index += 1) if (this.lines.get(index)! >= line) return index;
    return 0;
  }

  private async read(
    range: Partial<LogRange>,
    place: (index: number, all: number) => number,
    signal: AbortSignal,
  ): Promise<void> {
    const page = await readLog(this.jobId, { ...range, limit: HITS, search: this.text }, signal);
    this.total = page.totalHits ?? 0;
    page.lines.forEach(({ number }, index) => this.lines.set(place(index, page.lines.length), number));
  }
}

/** Searches a log on the server. @param grows lines of a log that is not complete; `null`: it is @param topLine what the reader sees first @param onHit shows a line */
export function useLogSearch(
  jobId: string,
  grows: number | null,
  topLine: () => number,
  onHit: (line: number) => void,
): LogSearch {
  const [text, setText] = useState('');
  const [wanted] = useDebouncedValue(
    text.trim() === '' ? '' : [...text].slice(0, MOST_SEARCHED).join(''),
    PAUSE,
  );
  const [shown, setShown] =
    useState<Pick<LogSearch, 'found' | 'total' | 'index' | 'line' | 'error'>>(nothing);
  const hits = useRef<{ hits: Hits; stop: AbortController; at: number } | null>(null);
  const latest = useRef({ topLine, onHit });
  latest.current = { topLine, onHit };

  useEffect(() => {
    if (wanted === '') {
      hits.current = null;
      setShown(nothing);
      return undefined;
    }
    const stop = new AbortController();
    const own = new Hits(jobId, wanted);
    hits.current = { hits: own, stop, at: performance.now() };
    setShown({ ...nothing, found: wanted });
    const begin = async (): Promise<void> => {
      await own.readOn(stop.signal);
      const index = own.total === 0 ? null : own.firstFrom(latest.current.topLine());
      const line = index === null ? null : await own.lineOf(index, stop.signal);
      setShown({ found: wanted, total: own.total, index, line, error: null });
      if (line !== null) latest.current.onHit(line);
    };
    begin().catch((error: Error) => {
      if (!stop.signal.aborted) setShown({ ...nothing, found: wanted, error });
    });
    return () => stop.abort();
  }, [jobId, wanted]);

  useEffect(() => {
    const present = hits.current;
    if (grows === null || present === null) return undefined;
    const timer = setTimeout(
      () => {
        present.at = performance.now();
        present.hits.readOn(present.stop.signal).then(
          () => hits.current === present && setShown((before) => ({ ...before, total: present.hits.total })),
          () => undefined,
        );
      },
      Math.max(0, AGE - (performance.now() - present.at)),
    );
    return () => clearTimeout(timer);
  }, [grows]);

  const go = async (by: 1 | -1): Promise<void> => {
    const present = hits.current;
    const { total } = present?.hits ?? { total: 0 };
    if (present === null || total === 0) return;
    const index = shown.index === null ? 0 : (shown.index + by + total) % total;
    try {
      const line = await present.hits.lineOf(index, present.stop.signal);
      setShown((before) => ({ ...before, total: present.hits.total, index, line, error: null }));
      if (line !== null) latest.current.onHit(line);
    } catch (error) {
      if (!present.stop.signal.aborted) setShown((before) => ({ ...before, error: error as Error }));
    }
  };
  return { text, setText, ...shown, go };
}

const nothing = { found: '', total: null, index: null, line: null, error: null };
