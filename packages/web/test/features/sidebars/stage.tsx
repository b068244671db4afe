import type { InsideInput, OperationName } from '@yarnboard/protocol';
import type { Live } from '../../../src/live/live.ts';
import { openTestPage, type TestPage } from '../../test-page.tsx';
import { connectAs } from '../home/connection.ts';

// A real server answers, on a machine that may have more to do.

export type Stage = TestPage & {
  /** Does something as the operator; the references it made. Fails when it is refused. */
  readonly act: <N extends OperationName>(name: N, input: InsideInput<N>) => Promise<readonly string[]>;
  /** Registers somebody and gives a connection that acts as them. */
  readonly enlist: (name: string, kind?: 'agent' | 'human') => Promise<Live>;
};

export const openStage = async (options: Parameters<typeof openTestPage>[0] = {}): Promise<Stage> => {
  const page = await openTestPage(options);
  // Where the page only reads, somebody else acts.
  const others = options.isOperator === false ? [connectAs(page.server.url, page.server.token)] : [];
  const [operator = page.live] = others;
  return {
    ...page,
    act: (name, input) => actAs(operator, name, input),
    enlist: async (name, kind = 'agent') => {
      const outcome = await operator.send('agent_register', { agentId: name, kind });
      if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
      const live = connectAs(page.server.url, outcome.result.token);
      others.push(live);
      return live;
    },
    close: async () => {
      for (const live of others) live.close();
      await page.close();
    },
  };
};

export const actAs = async <N extends OperationName>(live: Live, name: N, input: InsideInput<N>): Promise<readonly string[]> => {
  const outcome = await live.send(name, input);
  if (outcome.kind !== 'done') throw new Error(`${name}: ${JSON.stringify(outcome)}`);
  return outcome.refs;
};

/** Findings of a sidebar, each confirmed. */
export const confirm = async (stage: Stage, sidebarId: string, contents: readonly string[]): Promise<void> => {
  for (const [n, content] of contents.entries()) {
    await stage.act('scratchpad_entry_submitted', { sidebarId, content });
    await stage.act('scratchpad_entry_validated', { sidebarId, entryId: `FINDING-${n + 1}`, status: 'confirmed' });
  }
};
