import { err, ok, type Result } from '@yarnboard/domain';
import type { Order } from './seat-lines.ts';

/** Runs a registered operation for a seat. */
export type ToolCall = (
  name: string,
  input: Readonly<Record<string, unknown>>,
) => Promise<Result<unknown, { readonly code: string; readonly detail: string }>>;

/** The same, over the JSON lines of one of our programs. */
export const toolCallOver =
  (command: (name: string, input: Readonly<Record<string, unknown>>) => Promise<Order>): ToolCall =>
  async (name, input) => {
    const { ok: isDone, answer, problem } = await command(name, input);
    return isDone === true ? ok(answer) : err(problem as { readonly code: string; readonly detail: string }); // the server wrote it
  };
