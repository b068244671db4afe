import {
  BookmarkPlus,
  Braces,
  ClipboardCopy,
  ClipboardType,
  CornerLeftUp,
  Ellipsis,
  GitBranch,
  GitFork,
  Hash,
  Link2,
  Sparkles,
  Waypoints,
} from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import { useFork, type ForkPoint } from '../runs/fork-context.ts';
import { useRemember } from '../../shared/remember.tsx';
import { tracePath } from '../../shared/trace-link.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useMarkAsGold } from '../citations/gold-marking.tsx';
import { useFlowDeeds } from './flow-context.ts';
import type { Step } from './flow-pages.ts';
import { BareFacts, isBare } from './step-turn.tsx';
import { useStepCopy } from './step-copy.ts';

const RawRecord = lazy(async () => ({ default: (await import('./raw-record.tsx')).RawRecord }));

/** The actions on a step. */
export const StepToolbar = ({ step }: { readonly step: Step }) => {
  const { branchOff, pathOf, sessionId, show, thread } = useFlowDeeds();
  const fork = useFork();
  const from = thread === 'main' ? forkPoint(step) : null;
  const tell = useToast();
  const [, navigate] = useLocation();
  const { ref, exchange, parentUuid, uuid } = step;
  const remember = useRemember();
  const markAsGold = useMarkAsGold();
  const copy = (text: string, what: string) => (): void => {
    navigator.clipboard.writeText(text).then(
      () => tell({ tone: 'good', title: `${what} copied` }),
      () => tell({ tone: 'bad', title: `Couldn’t copy the ${what.toLowerCase()}`, text: 'Your browser blocks copying here.' }),
    );
  };
  const { markdown, plain } = useStepCopy(step);
  const copyOf = (text: () => Promise<string>) => (): void => {
    text().then(
      (known) => copy(known, 'Message')(),
      (cause: unknown) => tell({ tone: 'bad', title: 'Couldn’t copy the message', text: cause instanceof Error ? cause.message : String(cause) }),
    );
  };
  const hasText = step.textLength > 0;
  const [isRaw, setIsRaw] = useState(false);
  const items: readonly MenuItem[] = [
    ...(hasText
      ? [
          { label: 'Copy as Markdown', icon: ClipboardCopy, onSelect: copyOf(markdown) },
          { label: 'Copy as text', icon: ClipboardType, onSelect: copyOf(plain) },
        ]
      : []),
    ...(ref === null ? [] : [{ label: 'Copy reference', icon: Hash, hint: ref, onSelect: copy(ref, 'Reference') }]),
    { label: 'Copy link', icon: Link2, onSelect: copy(new URL(pathOf(step), location.href).href, 'Link') },
    { kind: 'line' },
    { label: 'Go to parent message', icon: CornerLeftUp, isDisabled: parentUuid === null, onSelect: () => show(parentUuid ?? uuid) },
    { label: 'Trace', icon: Waypoints, onSelect: () => navigate(tracePath(ref ?? uuid)) },
    { label: 'Raw record', icon: Braces, onSelect: () => setIsRaw(true) },
    ...(remember === null || ref === null ? [] : [{ label: 'Remember this message', icon: BookmarkPlus, onSelect: () => remember(ref) }]),
    ...(remember === null || exchange === null
      ? []
      : [{ label: 'Remember this exchange', icon: BookmarkPlus, hint: exchange, onSelect: () => remember(exchange) }]),
    ...(markAsGold === null || ref === null ? [] : [{ label: 'Mark as GOLD…', icon: Sparkles, onSelect: () => markAsGold(ref) }]),
    { label: 'New sidebar from here…', icon: GitBranch, isDisabled: ref === null, onSelect: () => branchOff(step) },
    ...(fork === null || from === null
      ? []
      : [{ label: step.kind === 'prompt' ? 'Fork with another prompt…' : 'Fork session from here…', icon: GitFork, onSelect: () => fork(from) }]),
  ];
  return (
    <div className="step-toolbar" role="toolbar" aria-label={`Actions for ${ref ?? 'this message'}`}>
      {isBare(step) ? <BareFacts step={step} /> : null}
      {hasText ? <IconButton icon={ClipboardCopy} label="Copy message" size="small" onClick={copyOf(markdown)} /> : null}
      {ref === null ? null : <IconButton icon={GitBranch} label="New sidebar from here" size="small" onClick={() => branchOff(step)} />}
      <Menu items={items}>
        <button type="button" className="button button-quiet button-small button-icon" aria-label="More">
          <Ellipsis aria-hidden />
        </button>
      </Menu>
      {isRaw ? (
        <Suspense fallback={null}>
          <RawRecord sessionId={sessionId} uuid={uuid} onClose={() => setIsRaw(false)} />
        </Suspense>
      ) : null}
    </div>
  );
};

/** PAGE-420: after a reply with all its operations; a prompt forks before itself, to be asked again there. */
const forkPoint = ({ kind, uuid, uuids, parentUuid, ref, text, textLength }: Step): ForkPoint => {
  if (kind === 'reply') return { at: uuids.at(-1) ?? uuid, about: ref ?? 'this message', prompt: '' };
  if (kind !== 'prompt' || parentUuid === null) return null;
  return { at: parentUuid, about: `the message before ${ref ?? 'this prompt'}`, prompt: text.length < textLength ? '' : text };
};
