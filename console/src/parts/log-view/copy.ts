import { useEffect, useState } from 'react';
import { readLines } from '../../api/logs';
import { hashOf, type LineRange } from './address';
import { plain } from './ansi';

/** Most lines that are copied at once. */
const MOST_COPIED = 100_000;
/** How long a button says that it has copied, in milliseconds. */
const SHOWN = 2000;

interface CopiedLines {
  /** What was copied a moment ago, as the caller calls it; `null`: nothing. */
  readonly copied: string | null;
  /** Without a clipboard, as on plain http: the text to copy by hand. */
  readonly text: string | null;
  readonly error: Error | null;
  /** Copies lines without their colours. */
  copy(what: string, first: number, last: number): Promise<void>;
  /** Copies the address of lines. */
  copyLink(what: string, range: LineRange): Promise<void>;
}

/** Copies lines of a log, which may be on the server only. */
export function useCopiedLines(jobId: string): CopiedLines {
  const [state, setState] = useState<Omit<CopiedLines, 'copy' | 'copyLink'>>({
    copied: null,
    text: null,
    error: null,
  });
  const { copied } = state;
  useEffect(() => {
    if (copied === null) return undefined;
    const timer = setTimeout(() => setState((before) => ({ ...before, copied: null })), SHOWN);
    return () => clearTimeout(timer);
  }, [copied]);
  const put = async (what: string, text: string): Promise<void> => {
    const isDone = await (navigator.clipboard as Clipboard | undefined)?.writeText(text).then(
      () => true,
      () => false,
    );
    setState(isDone ? { copied: what, text: null, error: null } : { copied: null, text, error: null });
  };
  const copy = async (what: string, first: number, last: number): Promise<void> => {
    try {
      if (last - first >= MOST_COPIED) throw new Error('This is too long to copy. Download the log.');
      const lines = await readLines(jobId, first, last);
      await put(what, lines.map((line) => `${plain(line.text)}\n`).join(''));
    } catch (error) {
      setState({ copied: null, text: null, error: error as Error });
    }
  };
  const copyLink = (what: string, range: LineRange): Promise<void> =>
    put(what, `${location.origin}${location.pathname}#${hashOf(range)}`);
  return { ...state, copy, copyLink };
}
