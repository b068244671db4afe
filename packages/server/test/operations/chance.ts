import type { TestBoard } from './boards.ts';
import { prompt, reply, result, use, type Fields } from './records.ts';

export const SESSIONS = ['11111111-0000-4000-8000-000000000001', '22222222-0000-4000-8000-000000000002'] as const;

/** The same numbers for the same seed. */
export const randomFrom = (seed: number): ((below: number) => number) => {
  let state = seed;
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return Math.floor((state / 4_294_967_296) * below);
  };
};

/** Two sessions with branches, calls and mentions. */
export const sessionsOf = (random: (below: number) => number, length = 14): Readonly<Record<string, readonly Fields[]>> =>
  Object.fromEntries(
    SESSIONS.map((session, n) => {
      const records = Array.from({ length }, (_, at) => {
        const parent = at === 0 ? null : `${n}-${Math.max(0, at - 1 - (random(4) === 0 ? 1 : 0))}`;
        const text = random(3) === 0 ? `As MSG-${1 + random(30)} says, and GOLD-1.` : `Step ${at}`;
        if (at % 4 === 1) {
          const path = `/srv/loom/${random(3)}.ts`;
          return reply(`${n}-${at}`, parent, at, [use(`t${n}-${at}`, random(2) === 0 ? 'Edit' : 'Read', Object.fromEntries([['file_path', path]]))]);
        }
        if (at % 4 === 2) return result(`${n}-${at}`, `${n}-${at - 1}`, at, `t${n}-${at - 1}`, 'done');
        return at % 4 === 3 ? reply(`${n}-${at}`, parent, at, text) : prompt(`${n}-${at}`, parent, at, text);
      });
      return [`-srv-loom/${session}.jsonl`, records] as const;
    }),
  );

/** Whatever happens on a board, by chance; what is refused was no event. */
export const actOn = async (board: TestBoard, random: (below: number) => number): Promise<number> => {
  const sidebar = (): string => `SB-${1 + random(5)}`;
  const message = (): string => `MSG-${1 + random(40)}`;
  const finding = (): string => `FINDING-${1 + random(3)}`;
  const deeds: readonly (() => Promise<unknown>)[] = [
    () => board.command('sidebar_spawn', { parent_id: random(2) === 0 ? message() : null, task_description: `Look at ${message()}` }),
    () => board.command('sidebar_child_spawn', { parent_sidebar_id: sidebar(), sub_task_description: 'Closer' }),
    () => board.command('chat_message', { sidebar_id: sidebar(), content: `See ${message()} and ${sidebar()}.` }),
    () => board.command('citation_created', { sidebar_id: sidebar(), source: message(), content: 'this' }),
    () =>
      board.command('scratchpad_entry_submitted', {
        sidebar_id: sidebar(),
        content: `So ${random(99)}.`,
        source_refs: [message(), `CITE-${1 + random(3)}`],
      }),
    () => board.command('scratchpad_entry_submitted', { sidebar_id: sidebar(), content: `Plain ${random(99)}.`, source_refs: [message()] }),
    () => board.command('scratchpad_entry_validated', { sidebar_id: sidebar(), entry_id: finding(), status: 'confirmed', validation_notes: 'seen' }),
    () => board.command('scratchpad_checkpoint', { sidebar_id: sidebar(), summary: 'So far.' }),
    () =>
      board.command('gold_created', {
        sidebar_id: sidebar(),
        source_refs: [message()],
        key_insight: `Insight ${random(99)}`,
        reuse_pattern: 'again',
        trigger_conditions: [`symptom ${random(99)}`],
      }),
    () => board.command('memory_archive', { refs: [message()], reason: 'worth it' }),
    () => board.command('sidebar_archive', { sidebar_id: sidebar() }),
    () => board.command('sidebar_fork', { original_sidebar_id: sidebar(), fork_reason: 'again' }),
  ];
  let done = 0;
  for (let n = 0; n < 90; n += 1) {
    try {
      await (deeds[n < 4 ? 0 : random(deeds.length)] ?? deeds[0])?.();
      done += 1;
    } catch (cause) {
      if (!/: 4\d\d /u.test(String(cause))) throw cause;
    }
  }
  return done;
};
