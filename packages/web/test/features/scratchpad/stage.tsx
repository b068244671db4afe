import { sidebarOf, type Sidebar } from '@yarnboard/domain';
import type { InsideInput, OperationName } from '@yarnboard/protocol';
import { screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { Live } from '../../../src/live/live.ts';
import { LiveProvider, useBoard } from '../../../src/live/hooks.tsx';
import { openTestPage, type TestPage } from '../../test-page.tsx';
import { connectAs } from '../home/connection.ts';

/** A sidebar, drawn again whenever it changes. */
export const WithSidebar = ({ of, children }: { readonly of: string; readonly children: (sidebar: Sidebar) => ReactNode }) => {
  const sidebar = useBoard((board) => sidebarOf(board, of), [of]);
  return sidebar === null ? null : children(sidebar);
};

export type Stage = TestPage & {
  /** Does something as the operator; the reference it made. Fails when it is refused. */
  readonly act: <N extends OperationName>(name: N, input: InsideInput<N>) => Promise<string>;
  /** Another connection, with a token of its own or none. */
  readonly connect: (token: string | null) => Live;
  /** Shows something as whoever has another connection sees it. */
  readonly renderAs: (live: Live, element: ReactNode) => void;
};

/** A page with a sidebar SB-1 of the operator. */
export const openStage = async (): Promise<Stage> => {
  const page = await openTestPage();
  const others: Live[] = [];
  const act: Stage['act'] = (name, input) => actOf(page.live, name, input);
  await act('sidebar_spawn', { parentId: null, taskDescription: 'Why does the login fail?', successCriteria: 'The cause is known.' });
  return {
    ...page,
    act,
    connect: (token) => {
      const live = connectAs(page.server.url, token);
      others.push(live);
      return live;
    },
    renderAs: (live, element) => void page.render(<LiveProvider live={live}>{element}</LiveProvider>),
    close: async () => {
      for (const live of others) live.close();
      await page.close();
    },
  };
};

export const actOf = async <N extends OperationName>(live: Live, name: N, input: InsideInput<N>): Promise<string> => {
  const outcome = await live.send(name, input);
  if (outcome.kind !== 'done') throw new Error(`${name}: ${JSON.stringify(outcome)}`);
  return outcome.refs[0] ?? '';
};

export const findingCard = (number: number): Promise<HTMLElement> => screen.findByRole('article', { name: `Finding ${number}` });
