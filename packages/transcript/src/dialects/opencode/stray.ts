import type { Stray } from './rows.ts';

/** OPEN-12: names and counts the strays; null if there are none. */
export const strayOf = ({ sessions, messages, parts, gone }: Stray, kept: 'files' | 'rows'): string | null => {
  const lost =
    sessions.size === 0
      ? []
      : [
          `unreadable: ${count(sessions.size, 'of its sessions')}, whose own ${kept} are missing or damaged: ${someOf([...sessions])}; ` +
            `${count(messages, messages === 1 ? 'message' : 'messages')} and ${count(parts, parts === 1 ? 'part' : 'parts')} are left of them`,
        ];
  const left = [...gone.values()].reduce((sum, one) => sum + one, 0);
  const alone = gone.size === 0 ? [] : [`not a part of any message of its session, as after a revert: ${left} of ${someOf([...gone.keys()])}`];
  return lost.length + alone.length === 0 ? null : [...lost, ...alone].join('; ');
};

const count = (many: number, what: string): string => `${many} ${what}`;

const someOf = (ids: readonly string[]): string => `${ids.slice(0, SOME).join(', ')}${ids.length > SOME ? ` and ${ids.length - SOME} more` : ''}`;

const SOME = 3;
