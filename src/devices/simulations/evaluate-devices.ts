import { setImmediate } from 'node:timers/promises';

/**
 * Devices that are decided about before other requests are served: each may report different values, which takes
 * longest.
 */
const SLICE = 100;

/** Milliseconds that one pass over the devices may take. The next one reads a smaller sample. */
const TIME_LIMIT = 10_000;

/** What decides about devices. */
interface Evaluation<Device> {
  add(devices: readonly Device[]): void;
}

/**
 * Evaluates one device of `sample`; of a larger number, when that takes too long.
 *
 * @param read the devices, in batches
 * @param start makes what evaluates the devices of one pass
 */
export async function evaluateDevices<Device, E extends Evaluation<Device>>(
  read: (sample: number) => AsyncIterable<Device[]>,
  start: () => E,
  sample: number,
): Promise<E> {
  const evaluation = start();
  const deadline = performance.now() + TIME_LIMIT;
  let isLate = false;
  for await (const devices of read(sample)) {
    for (let first = 0; first < devices.length && !isLate; first += SLICE) {
      evaluation.add(devices.slice(first, first + SLICE));
      await setImmediate();
      isLate = performance.now() > deadline;
    }
    if (isLate) break;
  }
  return isLate ? evaluateDevices(read, start, sample * 8) : evaluation;
}

/** The least power of two by which the devices are divided into parts that are small enough. */
export function sampleOf(devices: number, atMost: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(devices / atMost)));
}
