import { constants } from 'node:os';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** What a program does at SIGTERM and SIGINT. */
type StopHandler = (signal: NodeJS.Signals) => void;

let current: StopHandler | null = null;

/**
 * Sets what SIGTERM and SIGINT do from now on, instead of what they did before. There is one listener from the first
 * line of the program to its end: Node.js delivers a signal some time after it has arrived, and loses it when the last
 * listener is removed in between, whether another one follows or not.
 */
export function onStopSignal(handler: StopHandler): void {
  const isListening = current !== null;
  current = handler;
  if (isListening) return;
  for (const signal of SIGNALS) {
    // Those of the script that has built the program and becomes it.
    const former = process.listeners(signal);
    process.on(signal, () => current?.(signal));
    for (const listener of former) process.off(signal, listener);
  }
}

/** Ends the process immediately, with 128 and the number of the signal. */
export function exitWith(signal: NodeJS.Signals): never {
  process.exit(128 + constants.signals[signal]);
}
