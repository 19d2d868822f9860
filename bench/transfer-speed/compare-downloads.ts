import type { Instance } from '../instance.ts';
import { median, rounded, time } from '../measure.ts';
import type { Results } from '../results.ts';
import { Client } from '../uploads/client.ts';
import { content } from '../uploads/content.ts';
import { Scenarios } from '../uploads/scenarios.ts';

/** Files of one turn: all of them are new, so that the first download of each is verified. */
const KINDS = [
  { what: '20 kB', size: 20_000, count: 200 },
  { what: '1 MB', size: 1_000_000, count: 40 },
  { what: '8 MB', size: 8_000_000, count: 8 },
];
/** Downloads of each file after the first. */
const AGAIN = 4;
const ROUNDS = 7;

/** Seconds that a server takes for the first downloads of some files, and for all the others. */
interface Turn {
  readonly first: number;
  readonly again: number;
}

/** One of the servers. */
class Side {
  private readonly client: Client;
  private readonly scenarios: Scenarios;

  private constructor(client: Client) {
    this.client = client;
    this.scenarios = new Scenarios(client);
  }

  static async of({ origin, token }: Instance): Promise<Side> {
    const side = new Side(new Client(origin, token));
    await side.scenarios.prepare();
    return side;
  }

  async take(size: number, numbers: readonly number[]): Promise<Turn> {
    const paths = await this.scenarios.published(numbers.map((number) => content(size, number)));
    return {
      first: await time(() => this.read(paths, size, 1)),
      again: await time(() => this.read(paths, size, AGAIN)),
    };
  }

  private async read(paths: readonly string[], size: number, times: number): Promise<void> {
    for (let n = 0; n < times; n++) {
      for (const path of paths) {
        let received = 0;
        for await (const chunk of await this.client.open(path)) received += (chunk as Buffer).length;
        if (received !== size) throw new Error(`Of ${size} bytes ${received} came.`);
      }
    }
  }
}

/** Downloads of files, one after the other, from the server of this working tree and from that of another commit, in turns. */
export async function compareDownloads(
  instance: Instance,
  other: Instance,
  results: Results,
  isQuick: boolean,
): Promise<void> {
  const [own, former] = [await Side.of(instance), await Side.of(other)];
  let number = 0;
  const rows: Record<string, string | number>[] = [];
  for (const { what, size, count } of KINDS) {
    const turns: { own: Turn; former: Turn }[] = [];
    const numbers = () => Array.from({ length: isQuick ? 3 : count }, () => number++);
    for (let round = 0; round < (isQuick ? 1 : ROUNDS); round++) {
      const files = numbers();
      // Each begins as often as the other.
      if (round % 2 === 0)
        turns.push({ own: await own.take(size, files), former: await former.take(size, files) });
      else {
        const before = await former.take(size, files);
        turns.push({ own: await own.take(size, files), former: before });
      }
    }
    const ratio = (of: (turn: Turn) => number): number =>
      rounded(median(turns.map((turn) => of(turn.own) / of(turn.former))), 3);
    rows.push({
      'files of': what,
      'first downloads, ratio': ratio(({ first }) => first),
      'later downloads, ratio': ratio(({ again }) => again),
      [`${AGAIN + 1} downloads of each, ratio`]: ratio(({ first, again }) => first + again),
    });
  }
  results.add('Time of downloads, compared with the other commit', rows);
}
