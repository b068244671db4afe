import { printable } from '@yarnboard/transcript';
import type { InsideInput, InsideOutput } from '@yarnboard/protocol';
import { CheckCircle2, Hourglass, MailQuestion, MoonStar, type LucideIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useAsk, useAskAgain, useCommand } from '../../live/hooks.tsx';
import { refusalIn } from '../../live/refusal.ts';
import { CommandDialog } from '../../shared/command-dialog.tsx';
import { nameOf } from '../../shared/names.ts';
import { usePeople } from '../../shared/people.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import './agents.css';

type Recruited = NonNullable<InsideOutput<'agent_recruited'>['recruitments']>[number];

const MODES = [
  { value: 'skill', label: 'By skill' },
  { value: 'name', label: 'By name' },
] as const;
type Mode = (typeof MODES)[number]['value'];

type RecruitDialogProps = {
  readonly sidebar: { readonly id: string; readonly ref: string; readonly participants: readonly string[] };
  /** The agent that is selected at first. */
  readonly agent?: string | undefined;
  readonly onClose: () => void;
};

/** PAGE-303: recruits by skill or by name. Before you confirm, it shows what would happen and why, and who else is free. */
export const RecruitDialog = ({ sidebar, agent: first, onClose }: RecruitDialogProps) => {
  const others = usePeople().filter(({ id }) => !sidebar.participants.includes(id));
  const [mode, setMode] = useState<Mode>(first === undefined ? 'skill' : 'name');
  const [agent, setAgent] = useState(first ?? others[0]?.id ?? '');
  const [skill, setSkill] = useState('');
  const [note, setNote] = useState('');
  const [done, setDone] = useState<readonly Recruited[] | null>(null);
  const { send, isSending, refusal } = useCommand('agent_recruited');
  const askAgain = useAskAgain();
  const whom = mode === 'name' ? (agent === '' ? null : { agentId: agent }) : skill.trim() === '' ? null : { capability: skill.trim() };
  const plan = usePlan(sidebar.id, whom);
  const recruit = async (): Promise<void> => {
    if (whom === null) return;
    const outcome = await send({ sidebarId: sidebar.id, ...whom, ...(note.trim() === '' ? {} : { note: note.trim() }) });
    askAgain('recruitments', 'load', 'suggestions', 'agents');
    if (outcome.kind === 'done') setDone(outcome.result.recruitments ?? []);
    else if (outcome.kind === 'done-before') onClose();
  };
  const take = (name: string): void => {
    setMode('name');
    setAgent(name);
    setDone(null);
  };
  if (done !== null) {
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title={`Recruiting for ${sidebar.ref}`}
        actions={
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        }
      >
        <ul className="recruit-plan" aria-label="Result">
          {done.map((one) => (
            <RecruitResult key={one.agentId} result={one} onTake={take} />
          ))}
        </ul>
      </Dialog>
    );
  }
  return (
    <CommandDialog
      title={`Recruit for ${sidebar.ref}`}
      confirm="Recruit"
      refusal={refusal}
      isSending={isSending}
      isDisabled={whom === null}
      onSubmit={recruit}
      onClose={onClose}
    >
      <Segmented label="Find" isLabelHidden segments={MODES} value={mode} onChange={setMode} />
      {mode === 'name' ? (
        <Select
          label="Agent or person"
          choices={others.map(({ id, specialties }) => ({
            value: id,
            label: specialties.length === 0 ? nameOf(id) : `${nameOf(id)} (${specialties.join(', ')})`,
          }))}
          value={agent}
          onChange={({ target }) => setAgent(target.value)}
        />
      ) : (
        <TextField
          label="Skill"
          hint="For example “databases” or “knows OAuth”."
          value={skill}
          onChange={({ target }) => setSkill(target.value)}
          autoComplete="off"
          required
        />
      )}
      <TextField label="Note" hint="Optional; shown to the recruit." value={note} onChange={({ target }) => setNote(target.value)} />
      <section className="recruit-plan" aria-label="What will happen" aria-live="polite">
        {plan.kind === 'refused' ? <p className="agent-problem">{printable(plan.why)}</p> : null}
        {plan.kind === 'planned' ? (
          <ul>
            {plan.results.map((one) => (
              <RecruitResult key={one.agentId} result={one} onTake={take} />
            ))}
          </ul>
        ) : null}
        {mode === 'skill' && skill.trim() !== '' ? <Candidates sidebarId={sidebar.id} capability={skill.trim()} onTake={take} /> : null}
      </section>
    </CommandDialog>
  );
};

/** An agent that joins, waits, was asked or is offline, and whom to take instead. */
const RecruitResult = ({ result, onTake }: { readonly result: Recruited; readonly onTake: (agent: string) => void }) => {
  const Icon = ICONS[result.status];
  return (
    <li className="recruit-result">
      <Icon aria-hidden />
      <div>
        <p>
          <b>{nameOf(result.agentId)}</b>: {printable(result.message)}
        </p>
        {/* Whoever has joined needs no replacement; who else fits is listed below. */}
        {result.alternatives.length === 0 || result.status === 'joined' ? null : (
          <p className="recruit-instead">
            <span className="soft">Free instead:</span>
            {result.alternatives.map((name) => (
              <Button key={name} size="small" onClick={() => onTake(name)}>
                {nameOf(name)}
              </Button>
            ))}
          </p>
        )}
      </div>
    </li>
  );
};

const Candidates = ({
  sidebarId,
  capability,
  onTake,
}: {
  readonly sidebarId: string;
  readonly capability: string;
  readonly onTake: (agent: string) => void;
}) => {
  const { data } = useAsk('suggestions', { sidebarId, capability }, { keepsPrevious: true });
  const items = data?.items ?? [];
  return items.length < 2 ? null : (
    <ol className="recruit-candidates" aria-label="Who fits, best first">
      {items.map(({ agentId, why }) => (
        <li key={agentId} className="recruit-result">
          <Button size="small" onClick={() => onTake(agentId)}>
            {nameOf(agentId)}
          </Button>
          <span className="soft">{printable(why)}</span>
        </li>
      ))}
    </ol>
  );
};

type Plan =
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'planned'; readonly results: readonly Recruited[] };

/** Previews the outcome, refreshed a moment after the last change. */
const usePlan = (sidebarId: string, whom: Pick<InsideInput<'agent_recruited'>, 'agentId' | 'capability'> | null): Plan => {
  const { send } = useCommand('agent_recruited');
  const asked = JSON.stringify(whom);
  const [known, setKnown] = useState<{ readonly asked: string; readonly plan: Plan }>({ asked: 'null', plan: NO_PLAN });
  useEffect(() => {
    if (asked === 'null') return undefined;
    let isWanted = true;
    const timer = setTimeout(() => {
      const wish = JSON.parse(asked) as NonNullable<typeof whom>; // serialized just above
      void send({ sidebarId, ...wish, dryRun: true }).then((outcome) => {
        if (!isWanted) return;
        if (outcome.kind === 'done') setKnown({ asked, plan: { kind: 'planned', results: outcome.result.recruitments ?? [] } });
        else setKnown({ asked, plan: { kind: 'refused', why: refusalIn(outcome) ?? '' } });
      });
    }, SETTLES);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [asked, sidebarId, send]);
  return known.asked === asked ? known.plan : NO_PLAN;
};

const ICONS = {
  joined: CheckCircle2,
  queued: Hourglass,
  asked: MailQuestion,
  offline: MoonStar,
  declined: MailQuestion,
  withdrawn: MailQuestion,
  dropped: MailQuestion,
} as const satisfies Record<Recruited['status'], LucideIcon>;

const NO_PLAN: Plan = { kind: 'none' };
const SETTLES = 250;
