import { assertNever, type Sidebar } from '@yarnboard/domain';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { useActor, useCommand } from '../../live/hooks.tsx';
import { Button } from '../../ui/button.tsx';
import { useIsInPanel } from '../../ui/in-panel.ts';
import { Menu } from '../../ui/menu.tsx';
import { useKeptFocus } from '../../ui/kept-focus.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { ArchiveDialog } from './archive-dialog.tsx';
import { FinishDialog } from './finish-dialog.tsx';
import { ForkDialog } from './fork-dialog.tsx';
import { useMedia } from './media.ts';
import { MergeDialog } from './merge-dialog.tsx';
import { offersFor, type Step } from './moves.ts';
import { MoveDialog, PauseDialog } from './reason-dialog.tsx';
import { ReopenDialog } from './reopen-dialog.tsx';
import { SpawnDialog } from './spawn-dialog.tsx';
import { WaitDialog } from './wait-dialog.tsx';

/** What happened while the sidebar was paused, shown to whoever resumes it. */
export type Meanwhile = readonly string[];

export type Moves = {
  readonly begin: (step: Step) => void;
  /** The step whose dialog is open. */
  readonly open: Step | null;
  readonly close: () => void;
  readonly refusal: string | null;
  readonly clear: () => void;
  readonly isSending: boolean;
  readonly meanwhile: Meanwhile | null;
  readonly forget: () => void;
};

/** The moves of a sidebar: those that need no input happen at once, the others open a dialog. */
export const useMoves = (sidebar: Sidebar): Moves => {
  const [open, setOpen] = useState<Step | null>(null);
  const [meanwhile, setMeanwhile] = useState<Meanwhile | null>(null);
  const resume = useCommand('sidebar_resume');
  const move = useCommand('sidebar_status_update');
  const begin = (step: Step): void => {
    resume.clear();
    move.clear();
    if (step === 'resume') void goOn();
    else if (step === 'go-on') {
      void move.send({ sidebarId: sidebar.id, newStatus: 'ACTIVE' }, { proposal: { type: 'sidebar.move', sidebar: sidebar.id, to: 'ACTIVE' } });
    } else setOpen(step);
  };
  const goOn = async (): Promise<void> => {
    const outcome = await resume.send({ sidebarId: sidebar.id }, { proposal: { type: 'sidebar.resume', sidebar: sidebar.id } });
    if (outcome.kind === 'done') setMeanwhile(toldIn(outcome.result.events));
  };
  return {
    begin,
    open,
    close: () => setOpen(null),
    refusal: resume.refusal ?? move.refusal,
    clear: () => {
      resume.clear();
      move.clear();
    },
    isSending: resume.isSending || move.isSending,
    meanwhile,
    forget: () => setMeanwhile(null),
  };
};

const toldIn = (events: readonly Readonly<Record<string, unknown>>[]): Meanwhile | null => {
  const told = events.find(({ type }) => type === 'sidebar_resumed')?.['what_happened_while_paused'];
  return Array.isArray(told) && told.length > 0 ? told.map(String) : null;
};

/** PAGE-84: the allowed moves: the likeliest as a button, the others in a menu. Wide screens show two buttons. */
export const SidebarMoves = ({ sidebar, moves }: { readonly sidebar: Sidebar; readonly moves: Moves }) => {
  const actor = useActor();
  const isInPanel = useIsInPanel();
  const isNarrow = useMedia('(max-width: 40rem)') || isInPanel;
  const group = useKeptFocus();
  if (actor === null) return null;
  const offers = offersFor(sidebar, actor);
  const room = offers.length <= 2 && !isNarrow ? 2 : 1;
  const shown = offers.slice(0, room);
  const rest = offers.slice(room);
  return (
    <div ref={group} className="sidebar-moves" role="group" aria-label={`Actions for ${sidebar.ref}`}>
      {shown.map(({ step, label, icon, says, isDangerous = false, isLikeliest }) => (
        <Tooltip key={step} text={says}>
          <Button
            icon={icon}
            variant={isLikeliest ? 'primary' : isDangerous ? 'danger' : 'plain'}
            isBusy={moves.isSending && isLikeliest}
            onClick={() => moves.begin(step)}
          >
            {label}
          </Button>
        </Tooltip>
      ))}
      {rest.length === 0 ? null : (
        <Menu
          items={rest.map(({ step, label, icon, isDangerous = false, says }) => ({
            label,
            icon,
            isDangerous,
            says,
            onSelect: () => moves.begin(step),
          }))}
        >
          <Button icon={ChevronDown}>More</Button>
        </Menu>
      )}
    </div>
  );
};

/** The dialog of the chosen move. */
export const MoveDialogs = ({ sidebar, moves: { open, close } }: { readonly sidebar: Sidebar; readonly moves: Moves }) => {
  if (open === null) return null;
  switch (open) {
    case 'pause':
      return <PauseDialog sidebar={sidebar} onClose={close} />;
    case 'wait':
      return <WaitDialog sidebar={sidebar} onClose={close} />;
    case 'spawn-child':
      return <SpawnDialog isOpen onClose={close} parentId={sidebar.ref} about={sidebar.ref} />;
    case 'review':
    case 'promote':
    case 'fail':
    case 'send-back':
      return <MoveDialog sidebar={sidebar} kind={open} onClose={close} />;
    case 'consolidate':
    case 'merge':
      return <MergeDialog sidebar={sidebar} onClose={close} />;
    case 'finish':
      return <FinishDialog sidebar={sidebar} onClose={close} />;
    case 'reopen':
      return <ReopenDialog sidebar={sidebar} onClose={close} />;
    case 'archive':
    case 'discard':
      return <ArchiveDialog sidebar={sidebar} onClose={close} />;
    case 'fork':
      return <ForkDialog sidebar={sidebar} onClose={close} />;
    case 'resume':
    case 'go-on':
      return null;
    default:
      return assertNever(open);
  }
};
