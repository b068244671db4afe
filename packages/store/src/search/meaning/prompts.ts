/** An entry that may be embedded: its thread, and whether it asks or answers there. */
export type Turn = { readonly position: number; readonly thread: string | null; readonly role: string | null };

/**
 * MEAN-12: the prompt that each of these replies answers: the last one before it in its thread. `asked` has the last prompts before these entries,
 * for threads that need them.
 */
export const promptsOf = (turns: readonly Turn[], asked: ReadonlyMap<string, number>): ReadonlyMap<number, number> => {
  const last = new Map(asked);
  const prompts = new Map<number, number>();
  for (const { position, thread, role } of turns) {
    if (thread === null) continue;
    const prompt = last.get(thread);
    if (role === PROMPT) last.set(thread, position);
    else if (role === REPLY && prompt !== undefined) prompts.set(position, prompt);
  }
  return prompts;
};

/** Threads whose first message among these entries is an answer: its prompt is further up. With the first such answer. */
export const openThreads = (turns: readonly Turn[]): ReadonlyMap<string, number> => {
  const begun = new Set<string>();
  const open = new Map<string, number>();
  for (const { position, thread, role } of turns) {
    if (thread === null || begun.has(thread) || (role !== PROMPT && role !== REPLY)) continue;
    begun.add(thread);
    if (role === REPLY) open.set(thread, position);
  }
  return open;
};

export const PROMPT = 'prompt';
const REPLY = 'reply';
