import type { ChangeHintDto } from './change-hint.dto.js';

/** Milliseconds between two hints about the same object. */
const INTERVAL = 2000;

/** A hint with the types of events that cause it: who may see one of them gets the hint. */
export interface Hint {
  readonly dto: ChangeHintDto;
  readonly types: ReadonlySet<string>;
}

/** Hints for the readers of one organization. Changes of an object that follow each other closely become one hint. */
export class HintQueue {
  private readonly waiting = new Map<string, Hint & { readonly types: Set<string> }>();
  /** When the last hint about an object was sent. */
  private readonly sentAt = new Map<string, number>();

  /** @param type of the event */
  add(dto: ChangeHintDto, type: string): void {
    const key = `${dto.kind} ${dto.id}`;
    const hint = this.waiting.get(key);
    if (hint === undefined) this.waiting.set(key, { dto, types: new Set([type]) });
    else hint.types.add(type);
  }

  /** Takes the hints that may be sent. @param now in milliseconds */
  take(now: number): Hint[] {
    for (const [key, time] of this.sentAt) if (now - time >= INTERVAL) this.sentAt.delete(key);
    const due = [...this.waiting].filter(([key]) => !this.sentAt.has(key));
    for (const [key] of due) {
      this.waiting.delete(key);
      this.sentAt.set(key, now);
    }
    return due.map(([, hint]) => hint);
  }

  /** Milliseconds until the next hint may be sent; Infinity: none waits. */
  dueIn(now: number): number {
    const times = [...this.waiting.keys()].map((key) => (this.sentAt.get(key) ?? -Infinity) + INTERVAL - now);
    return Math.max(0, Math.min(Infinity, ...times));
  }
}
