import fc from 'fast-check';
import { anyEvent } from '../../../test/support/notifications/any-event.js';
import { deliverableEvent } from '../../../test/support/notifications/deliverable-event.js';
import { bodyOf } from './body-of.js';
import type { DeliverableEvent } from './deliverable-event.js';

interface Discord {
  readonly embeds: readonly {
    readonly title: string;
    readonly description?: string;
    readonly fields: readonly { readonly name: string; readonly value: string }[];
  }[];
  readonly allowed_mentions: object;
}
const discord = (event: DeliverableEvent): Discord => JSON.parse(bodyOf('discord', event)) as Discord;
const discordTexts = ({ embeds: [embed] }: Discord): string[] => [
  embed?.title ?? '',
  embed?.description ?? '',
  ...(embed?.fields ?? []).flatMap(({ name, value }) => [name, value]),
];
describe('a message for Discord', () => {
  it('says what happened where, the facts, who did it and when', () => {
    expect(discord({ ...deliverableEvent, severity: 'critical' })).toEqual({
      embeds: [
        {
          title: '🚨 Channel paused: Coffee',
          description: 'A channel was paused\\: its devices keep what they have.',
          color: 0xd0021b,
          fields: [
            { name: 'Channel', value: 'production', inline: true },
            { name: 'By', value: 'Ada', inline: true },
          ],
          timestamp: '2026-01-02T03:04:05.678Z',
        },
      ],
      allowed_mentions: { parse: [] },
    });
  });

  it('shows Markdown, links and mentions of users as they wrote them', () => {
    const value = (written: string): string =>
      discord({ ...deliverableEvent, facts: { Branch: written } }).embeds[0]?.fields[0]?.value ?? '';
    expect(value('[a](https://b)')).toBe('\\[a\\](https\\://b)');
    expect(value('@everyone **x** <@1>')).toBe('@\u200Beveryone \\*\\*x\\*\\* \\<@\u200B1\\>');
  });

  it('keeps to the limits, and formats and mentions nothing that users wrote', () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const message = discord(event);
        const [embed] = message.embeds;
        expect(message.allowed_mentions).toEqual({ parse: [] });
        expect(embed?.title.length).toBeLessThanOrEqual(256);
        expect(embed?.description?.length ?? 1).toBeLessThanOrEqual(4_096);
        expect(embed?.fields.length).toBeLessThanOrEqual(25);
        for (const { name, value } of embed?.fields ?? []) {
          expect(name).toMatch(/^[^]{1,256}$/);
          expect(value).toMatch(/^[^]{1,1024}$/);
        }
        expect(discordTexts(message).join('').length).toBeLessThanOrEqual(6_000);
        for (const shown of discordTexts(message)) {
          expect(shown.replace(/\\[^0-9A-Za-z\s]/g, '')).not.toMatch(/[\\*_~`|<>#[\]\n]|:(?=\S)|@(?!\u200B)/);
        }
      }),
    );
  });
});
