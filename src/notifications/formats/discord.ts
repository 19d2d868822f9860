import { chatEvent } from './chat-event.js';
import type { DeliverableEvent } from './deliverable-event.js';

const colours: Readonly<Record<DeliverableEvent['severity'], number>> = {
  info: 0x4b6bfb,
  warning: 0xf5a623,
  critical: 0xd0021b,
};

/** Up to this many characters, a value stands beside others. */
const SHORT = 40;

/**
 * A message for a webhook of Discord: an embed, which mentions no one. Markdown in texts of users is escaped.
 *
 * @see https://discord.com/developers/docs/resources/message#embed-object-embed-limits title 256, description 4,096, 25
 *   fields of 256 and 1,024, together 6,000 characters
 */
export function discordMessage(event: DeliverableEvent): object {
  const { title, meaning, appName, facts, userName } = chatEvent(event, escape);
  const by = userName === null ? [] : [{ label: 'By', value: userName }];
  return {
    embeds: [
      {
        title: appName === null ? title : `${title}: ${appName}`,
        ...(meaning === null ? {} : { description: meaning }),
        color: colours[event.severity],
        fields: [...facts, ...by].map(({ label, value }) => ({
          name: label,
          value,
          inline: value.length <= SHORT,
        })),
        timestamp: event.createdAt,
      },
    ],
    allowed_mentions: { parse: [] },
  };
}

/**
 * A backslash before every character that begins Markdown, a mention, an emoji or an address. `@everyone` has no escape:
 * a space without width ends the word.
 */
function escape(character: string): string {
  if (character === '@') return '@\u200B';
  return '\\*_~`|>#-+[]<:'.includes(character) ? `\\${character}` : character;
}
