import { formatRef, isEnded, parseRef, rowsOf } from '@yarnboard/domain';
import { printableLine } from '@yarnboard/transcript';
import { Command } from 'cmdk';
import {
  Activity,
  Archive,
  ArrowRight,
  BookMarked,
  Bot,
  ChartNoAxesColumn,
  CirclePlay,
  FolderTree,
  GitBranchPlus,
  House,
  Keyboard,
  MessagesSquare,
  Monitor,
  Moon,
  Plus,
  Search,
  Settings2,
  ShieldCheck,
  Sparkles,
  Sun,
  TextSearch,
  Waypoints,
} from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { lazy, Suspense, useRef, useState, type KeyboardEvent } from 'react';
import { useLocation } from 'wouter';
import { useAsk, useBoard, useLive } from '../../live/hooks.tsx';
import { useOpenKeys } from '../../shared/keys-context.ts';
import { useNewSession } from '../../shared/new-session-context.ts';
import { referencePath } from '../../ui/reference.tsx';
import { useTheme } from '../../ui/theme.tsx';
import { useToast } from '../../ui/toast.tsx';
import { agoText, counted, projectName } from '../../ui/wording.ts';
import type { ListedSession } from '../../shared/projects.ts';
import { TYPING_MS, useSettled } from '../../shared/settled.ts';
import { isUsual, toolName } from '../../shared/tools.ts';
import { sessionTitle } from '../../shared/titles.ts';
import { tracePath } from '../../shared/trace-link.tsx';
import { coverageText, HitSource, HitText, placeOfHit, speakerOf } from './hit-line.tsx';
import { fitting, isIdPrefix, isNamed, wordsOfSidebar, type Entry } from './palette-entries.ts';
import './palette.css';
import { addressOf } from './search-address.ts';
import { PaletteScope, type Scope } from './palette-scope.tsx';
import './search-page.css';

const SpawnDialog = lazy(async () => ({ default: (await import('../sidebars/spawn-dialog.tsx')).SpawnDialog }));

/** One box for everything: finds messages, sessions and sidebars, opens places, runs actions. */
export const Palette = ({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) => {
  const [isSpawning, setIsSpawning] = useState(false);
  // After navigating, the focus belongs to the new place; after just closing, it returns to where it was.
  const hasGone = useRef(false);
  const [before] = useState(() => document.activeElement);
  if (!isOpen) return null;
  if (isSpawning) {
    return (
      <Suspense fallback={null}>
        <SpawnDialog isOpen onClose={onClose} parentId={null} about="Starts from scratch and inherits nothing." />
      </Suspense>
    );
  }
  return (
    <Radix.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Overlay className="dialog-veil" />
        <Radix.Content
          className="palette"
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (!hasGone.current && before instanceof HTMLElement) before.focus();
          }}
        >
          <Radix.Title className="visually-hidden">Search everything</Radix.Title>
          <Box
            onGone={() => {
              hasGone.current = true;
              onClose();
            }}
            onClose={onClose}
            onSpawn={() => setIsSpawning(true)}
          />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
};

type BoxProps = { readonly onGone: () => void; readonly onClose: () => void; readonly onSpawn: () => void };

type Group = { readonly name: string; readonly entries: readonly (Entry & { readonly content?: React.ReactNode })[] };

const Box = ({ onGone, onClose, onSpawn }: BoxProps) => {
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const [scope, setScope] = useState<Scope>({ mode: '', standing: '' });
  const asked = useSettled(text.trim(), TYPING_MS);
  const go = (place: string): void => {
    navigate(place);
    onGone();
  };
  const searchFor = (): void => go(`/search?${addressOf({ q: text.trim(), ...scope }).toString()}`);
  const hits = useHits(asked, text.trim(), scope, go);
  const sessions = useSessions(text.trim(), asked, go);
  const groups: readonly Group[] = [
    { name: 'Reference', entries: useReference(text.trim(), go) },
    { name: 'Sessions', entries: sessions.named },
    hits.group,
    { name: 'Other sessions', entries: sessions.alike },
    { name: 'Sidebars', entries: useSidebars(text, go) },
    { name: 'Go to', entries: fitting(usePlaces(go), text, PLACES.length) },
    { name: 'Actions', entries: fitting(useActions({ onClose, onSpawn }), text, 6) },
    {
      name: 'Search',
      entries:
        text.trim() === ''
          ? []
          : [{ id: 'everywhere', label: `Search for “${text.trim()}”`, hint: 'Ctrl Enter', icon: TextSearch, words: [], run: searchFor }],
    },
  ];
  const first = groups.flatMap(({ entries }) => entries)[0]?.id ?? '';
  const isThere = groups.some(({ entries }) => entries.some(({ id }) => id === chosen));

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (text.trim() !== '') searchFor();
  };
  return (
    <Command
      label="Search everything"
      shouldFilter={false}
      vimBindings={false}
      loop
      // Late results appear above the others: until the user moves, Enter opens the first one.
      value={chosen !== null && isThere ? chosen : first}
      onValueChange={(value) => setChosen(value === first ? null : value)}
      onKeyDown={onKeyDown}
    >
      <div className="palette-box">
        <Search aria-hidden />
        <Command.Input
          value={text}
          onValueChange={(value) => {
            setText(value);
            setChosen(null);
          }}
          placeholder="Search or type a command…"
          maxLength={4096}
        />
        <PaletteScope scope={scope} onChange={(part) => setScope((now) => ({ ...now, ...part }))} />
        <kbd>Esc</kbd>
      </div>
      <Command.List className="palette-list" label="Results">
        {groups.map(({ name, entries }) =>
          entries.length === 0 ? null : (
            <Command.Group key={name} heading={name} className="palette-group">
              {entries.map(({ id, label, hint, icon: Icon, run, content }) => (
                <Command.Item key={id} value={id} onSelect={run} className="palette-item">
                  <Icon aria-hidden />
                  {content ?? (
                    <span className="palette-words">
                      <span className="one-line">{printableLine(label)}</span>
                      {hint === null ? null : <span className="palette-hint one-line">{printableLine(hint)}</span>}
                    </span>
                  )}
                </Command.Item>
              ))}
            </Command.Group>
          ),
        )}
      </Command.List>
      <footer className="palette-foot">
        <p role="status" className="one-line">
          {printableLine(hits.says)}
        </p>
        <p className="palette-keys" aria-hidden>
          <kbd>↑</kbd> <kbd>↓</kbd> move <kbd>Enter</kbd> open <kbd>Ctrl Enter</kbd> all results
        </p>
      </footer>
    </Command>
  );
};

const useHits = (
  asked: string,
  typed: string,
  { mode, standing }: Scope,
  go: (place: string) => void,
): { readonly group: Group; readonly says: string } => {
  const { data, error, isPlaceholderData } = useAsk(
    'search',
    { q: asked, limit: MOST_HITS, ...(mode === '' ? {} : { mode }), ...(standing === '' ? {} : { standing: 'true' }) },
    { isWanted: asked !== '', keepsPrevious: true, isGivenUp: true },
  );
  const hits = typed === '' || asked === '' ? [] : (data?.items ?? []);
  const entries = hits.map((hit) => ({
    id: `message:${hit.position}`,
    label: hit.snippet,
    hint: null,
    icon: speakerOf(hit).icon,
    words: [],
    run: () => go(placeOfHit(hit)),
    content: (
      <span className="palette-hit">
        <span className="one-line">
          <HitText hit={hit} />
        </span>
        <HitSource hit={hit} hasIcon={false} />
      </span>
    ),
  }));
  const instead = data?.corrected.flatMap((one) => one.instead) ?? [];
  const isAnswered = data !== undefined && !isPlaceholderData && asked === typed;
  return {
    group: { name: 'Messages', entries },
    says:
      typed === ''
        ? ''
        : error !== null
          ? `Search failed: ${error.message}`
          : !isAnswered
            ? 'Searching…'
            : [
                entries.length === 0 ? 'No matching messages' : `${data.nextCursor === null ? '' : 'First '}${counted(entries.length, 'message')}`,
                ...(instead.length === 0 ? [] : [`for ${instead.join(', ')}`]),
                ...(data.loosened?.wanted === 'most' ? ['with most of these words'] : []),
                ...[coverageText(data.coverage)].flatMap((one) => one ?? []),
                ...(data.isComplete ? [] : ['still indexing']),
              ].join(', '),
  };
};

/** `MSG-12` leads straight to its place; the palette shows what it stands for beforehand. */
const useReference = (text: string, go: (place: string) => void): readonly Entry[] => {
  const ref = parseRef(text);
  const place = referencePath(text);
  const { data, error } = useAsk('reference', { ref: text }, { isWanted: ref.ok });
  if (place === null) return [];
  const traced = ref.ok ? formatRef(ref.value) : text;
  const says = error === null ? (data?.message?.content ?? data?.createdIn ?? null) : error.message;
  return [
    {
      id: `reference:${text}`,
      label: `Open ${text.toUpperCase()}`,
      hint: says?.slice(0, 120) ?? null,
      icon: ArrowRight,
      words: [],
      run: () => go(place),
    },
    // PAGE-240
    { id: `trace:${text}`, label: `Trace ${text.toUpperCase()}`, hint: null, icon: Waypoints, words: [], run: () => go(tracePath(traced)) },
  ];
};

type Sessions = {
  /** The latest, or those whose names match the typed text. */
  readonly named: readonly Entry[];
  /** Those that only resemble it. */
  readonly alike: readonly Entry[];
};

/** PAGE-187 */
const useSessions = (text: string, asked: string, go: (place: string) => void): Sessions => {
  const { now } = useLive();
  const entryOf = ({
    sessionId,
    title,
    project,
    tool,
    endedAt,
  }: Pick<ListedSession, 'sessionId' | 'title' | 'project' | 'tool' | 'endedAt'>): Entry => ({
    id: `session:${sessionId}`,
    label: sessionTitle(title),
    hint: [projectName(project), ...(isUsual(tool) ? [] : [toolName(tool)]), ...(endedAt === null ? [] : [agoText(Date.parse(endedAt), now())])].join(
      ' · ',
    ),
    icon: FolderTree,
    // Matches ids by their beginning only: any few letters occur in some id.
    words: text.length >= 4 && sessionId.startsWith(text.toLowerCase()) ? [sessionId] : [],
    run: () => go(`/sessions/${encodeURIComponent(sessionId)}`),
  });
  // Loads a few at once, however many sessions there are.
  const latest = useAsk('sessions', { limit: MOST_LATEST }, { staleMs: 10_000 });
  const many = useAsk('sessions', { limit: 200 }, { isWanted: text !== '', staleMs: 30_000 });
  const byId = useAsk('session', { id: asked }, { isWanted: isIdPrefix(asked) });
  if (text === '') return { named: (latest.data?.items ?? []).map(entryOf), alike: [] };
  const entries = (many.data ?? latest.data)?.items.map(entryOf) ?? [];
  const found = byId.data === undefined || asked !== text || !isIdPrefix(asked) ? [] : [entryOf(byId.data)];
  const named = entries.filter((entry) => (isNamed(entry, text) || entry.words.length > 0) && entry.id !== found[0]?.id);
  if (found.length + named.length > 0) return { named: [...found, ...named].slice(0, 5), alike: [] };
  return { named: [], alike: fitting(entries, text, 5) };
};

const useSidebars = (text: string, go: (place: string) => void): readonly Entry[] => {
  const entries = useBoard((board) =>
    rowsOf(board.sidebars)
      .filter(({ ref }) => ref !== '')
      .toSorted((a, b) => Number(isEnded(a.status)) - Number(isEnded(b.status)) || b.lastActivity - a.lastActivity)
      .map((sidebar) => ({
        id: `sidebar:${sidebar.ref}`,
        label: sidebar.task,
        hint: `${sidebar.ref} · ${sidebar.status.toLowerCase().replaceAll('_', ' ')}`,
        icon: MessagesSquare,
        words: wordsOfSidebar(sidebar),
      })),
  );
  return fitting(entries, text, text.trim() === '' ? 3 : 5).map((entry) => ({
    ...entry,
    run: () => go(`/sidebars/${entry.id.slice('sidebar:'.length)}`),
  }));
};

const PLACES = [
  { to: '/', label: 'Home', icon: House, words: ['start', 'now'] },
  { to: '/sessions', label: 'Sessions', icon: FolderTree, words: ['conversations', 'transcripts'] },
  { to: '/runs', label: 'Runs', icon: CirclePlay, words: ['claude', 'running'] },
  { to: '/search', label: 'Search', icon: Search, words: ['find'] },
  { to: '/sidebars', label: 'Sidebars', icon: MessagesSquare, words: ['board'] },
  { to: '/archive', label: 'Archive', icon: Archive, words: ['closed', 'archived', 'old'] },
  { to: '/archive?tab=episodes', label: 'Episodes', icon: BookMarked, words: ['remembered', 'kept', 'memory'] },
  { to: '/gold', label: 'GOLD', icon: Sparkles, words: ['waypoints'] },
  { to: '/agents', label: 'Agents', icon: Bot, words: ['people', 'tokens'] },
  { to: '/usage', label: 'Usage', icon: ChartNoAxesColumn, words: ['cost', 'tokens', 'spending'] },
  { to: '/health', label: 'Health', icon: Activity, words: ['integrity', 'storage'] },
  { to: '/settings', label: 'Settings', icon: Settings2, words: ['theme', 'watched'] },
] as const;

const usePlaces = (go: (place: string) => void): readonly Entry[] =>
  PLACES.map(({ to, label, icon, words }) => ({ id: `place:${to}`, label, hint: null, icon, words, run: () => go(to) }));

const useActions = ({ onClose, onSpawn }: Pick<BoxProps, 'onClose' | 'onSpawn'>): readonly Entry[] => {
  const { choose } = useTheme();
  const { ask } = useLive();
  const toast = useToast();
  const close = (work: () => void) => (): void => {
    work();
    onClose();
  };
  const verify = (): void => {
    toast({ tone: 'info', title: 'Verifying the log…' });
    ask('verify', {}).then(
      ({ isWhole, entries, broken }) =>
        toast(
          isWhole
            ? { tone: 'good', title: 'Log verified', text: `${counted(entries, 'entry', 'entries')}, no tampering found.` }
            : { tone: 'bad', title: 'Log damaged', text: broken === null ? 'See Health.' : `At entry ${broken.position}: ${broken.why}` },
        ),
      (cause: unknown) => toast({ tone: 'bad', title: 'Couldn’t verify the log', text: String(cause) }),
    );
  };
  const newSession = useNewSession();
  const openKeys = useOpenKeys();
  return [
    ...(newSession === null
      ? []
      : [
          {
            id: 'action:session',
            label: 'New session',
            hint: 'g n',
            icon: Plus,
            words: ['start', 'claude', 'run', 'prompt'],
            run: close(newSession),
          },
        ]),
    { id: 'action:spawn', label: 'New sidebar', hint: null, icon: GitBranchPlus, words: ['spawn', 'branch'], run: onSpawn },
    { id: 'action:verify', label: 'Verify log', hint: null, icon: ShieldCheck, words: ['chain', 'check', 'integrity'], run: close(verify) },
    { id: 'action:dark', label: 'Use dark theme', hint: null, icon: Moon, words: ['dark', 'night'], run: close(() => choose('dark')) },
    { id: 'action:light', label: 'Use light theme', hint: null, icon: Sun, words: ['light', 'day'], run: close(() => choose('light')) },
    { id: 'action:system', label: 'Use system theme', hint: null, icon: Monitor, words: ['auto'], run: close(() => choose('system')) },
    ...(openKeys === null
      ? []
      : [{ id: 'action:keys', label: 'Keyboard shortcuts', hint: '?', icon: Keyboard, words: ['keys', 'help'], run: close(openKeys) }]),
  ];
};

const MOST_HITS = 8;
const MOST_LATEST = 6;
