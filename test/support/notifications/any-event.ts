import fc from 'fast-check';
import type { DeliverableEvent } from '../../../src/notifications/formats/deliverable-event.js';
import { deliverableEvent } from './deliverable-event.js';
import { anyCharacter } from '../any-character.js';

/** Texts that chats would make something of, alone and among others. */
const traps = `<!channel> <!here|x> <@U012AB3CD> <#C1> <https://evil.example|Sign> &lt;!channel&gt; @everyone @here
  <@80351110224678912> <@&1> [Sign](https://evil.example) ||x|| # <at>All</at> {{TIME(2017-02-14T06:00:00Z)}} :smile: \\
  ${'```'} **x** - \u202E`;
const trap = fc.constantFrom(...traps.split(/\s+/), '\n', '\uD83D', '{{DATE(2017-02-14T06:00:00Z, SHORT)}}');
const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 2_000 }),
  trap,
  fc.array(fc.oneof(trap, fc.string({ unit: anyCharacter })), { maxLength: 60 }).map((parts) => parts.join('')),
);
/** Events with any texts of users. */
export const anyEvent: fc.Arbitrary<DeliverableEvent> = fc.record({
  ...Object.fromEntries(Object.entries(deliverableEvent).map(([key, value]) => [key, fc.constant(value)])),
  severity: fc.constantFrom('info', 'warning', 'critical'),
  appName: fc.option(text),
  userName: fc.option(text),
  facts: fc.dictionary(text, fc.oneof(text, fc.integer(), fc.constant(null)), { maxKeys: 30 }),
}) as unknown as fc.Arbitrary<DeliverableEvent>;
