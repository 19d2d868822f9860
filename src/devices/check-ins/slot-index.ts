import { randomInt } from 'node:crypto';

/** Stands for no slot. */
export const NO_SLOT = -1;

/**
 * Finds numbered slots by the hash of a text, outside of the heap. Slots whose texts have the same hash are a chain, the
 * one that was added last in front.
 */
export class SlotIndex {
  /** By hash: the first slot of the chain. */
  private readonly firsts: Int32Array;
  /** By slot: the one behind it. */
  private readonly behind: Int32Array;
  private readonly hashes: Int32Array;
  /** Nobody outside knows which texts have the same hash. */
  private readonly seed = randomInt(2 ** 32) | 0;

  /** @param slots how many there are */
  constructor(slots: number) {
    this.firsts = new Int32Array(2 ** Math.ceil(Math.log2(slots))).fill(NO_SLOT);
    this.behind = new Int32Array(slots);
    this.hashes = new Int32Array(slots);
  }

  /** FNV-1a over UTF-16 code units (http://www.isthe.com/chongo/tech/comp/fnv/), from a secret start. */
  hashOf(text: string): number {
    let hash = this.seed;
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    return (hash ^ (hash >>> 15)) & (this.firsts.length - 1);
  }

  /** @returns the first slot of a hash, or `NO_SLOT` */
  first(hash: number): number {
    return this.firsts[hash] ?? NO_SLOT;
  }

  /** @returns the next one in the chain of a slot, or `NO_SLOT` */
  after(slot: number): number {
    return this.behind[slot] ?? NO_SLOT;
  }

  /** @param slot is not in the index */
  add(hash: number, slot: number): void {
    this.hashes[slot] = hash;
    this.behind[slot] = this.first(hash);
    this.firsts[hash] = slot;
  }

  /** Does nothing for a slot that is not in the index, but was. */
  remove(slot: number): void {
    const hash = this.hashes[slot] ?? 0;
    let before = NO_SLOT;
    let at = this.first(hash);
    while (at !== slot && at !== NO_SLOT) {
      before = at;
      at = this.after(at);
    }
    if (at === NO_SLOT) return;
    if (before === NO_SLOT) this.firsts[hash] = this.after(slot);
    else this.behind[before] = this.after(slot);
  }
}
