import { chatText, type EscapeCharacter } from './chat-text.js';
import type { DeliverableEvent } from './deliverable-event.js';

/** An event as chats show it: every text is short, on one line, escaped and not empty. */
export interface ChatEvent {
  /** Such as `⚠️ Rollout held`. At most 70 characters. */
  readonly title: string;
  /** When such events happen, for those that a person should look at; `null`: the title says enough. */
  readonly meaning: string | null;
  /** At most 75 characters; `null`: it is about the organization. */
  readonly appName: string | null;
  /** At most ten. */
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  /** `null`: no user caused it. */
  readonly userName: string | null;
}

/** In UTF-16 code units. All together they keep to Discord's 6,000 and the 28 kB of Microsoft Teams. */
const MAX = { title: 65, meaning: 400, name: 75, facts: 10, label: 50, value: 450 };

const marks: Readonly<Record<DeliverableEvent['severity'], string>> = {
  info: '',
  warning: '⚠️ ',
  critical: '🚨 ',
};

/** @param escape how a character is written so that the chat shows it literally */
export function chatEvent(event: DeliverableEvent, escape: EscapeCharacter): ChatEvent {
  const shown = (text: string | number | null, maxLength: number): string | null =>
    chatText(String(text ?? ''), maxLength, escape) || null;
  return {
    title: marks[event.severity] + (shown(event.title, MAX.title) ?? event.type),
    meaning: event.severity === 'info' ? null : shown(event.description, MAX.meaning),
    appName: shown(event.appName, MAX.name),
    facts: Object.entries(event.facts)
      .flatMap(([name, text]) => {
        const [label, value] = [shown(name, MAX.label), shown(text, MAX.value)];
        return label === null || value === null ? [] : [{ label, value }];
      })
      .slice(0, MAX.facts),
    userName: shown(event.userName, MAX.name),
  };
}
